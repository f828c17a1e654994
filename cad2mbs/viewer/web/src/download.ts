// Files that leave the page: through a Blob, so that nothing needs a server.

export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = fileName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveText(text: string, name: string): void {
  const kind = name.endsWith(".csv") ? "text/csv" : "text/plain";
  saveBlob(new Blob([text], { type: `${kind};charset=utf-8` }), name);
}

/** The last piece of a path, free of what file systems do not take. */
export function fileName(name: string): string {
  const last = name.split(/[\\/]/).pop() ?? "";
  return last.replace(/[\x00-\x1f<>:"|?*]/g, "_").slice(0, 120) || "file.txt";
}

/** Rows as CSV: fields with a comma, quote or line break are quoted; empty where there is none. */
export function csv(header: string[], rows: (number | null)[][]): string {
  const field = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const lines = rows.map((row) => row.map((v) => (v === null ? "" : String(v))).join(","));
  return [header.map(field).join(","), ...lines].join("\n") + "\n";
}
