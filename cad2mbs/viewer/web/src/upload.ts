// Files that come to the page, by button or by drop.

import { maxUpload, notice, send } from "./state";
import { dialog, uploads } from "./ui";

const MAIN = [".yaml", ".yml", ".fcstd", ".asmt", ".step", ".stp", ".p21"]; // the first of these is opened
export const ACCEPTED = MAIN.join(",");

/** Why these files cannot be taken, in words; "" if they can. */
export function refusal(files: readonly { name: string; size: number }[], most: number): string {
  const large = files.find((f) => most > 0 && f.size > most);
  if (large) {
    const sizes = `${megabytes(large.size)}, and the server takes at most ${megabytes(most)}`;
    return `${large.name} has ${sizes}. Start the server in the file's folder and open it there.`;
  }
  if (files.length && !mainOf(files)) {
    return `None of these files can be opened. Endings that can: ${MAIN.join(", ")}.`;
  }
  return "";
}

/** The file that the others belong to: a mates file before a model, a model before shapes. */
export function mainOf<T extends { name: string }>(files: readonly T[]): T | null {
  for (const ending of MAIN) {
    const found = files.find((f) => f.name.toLowerCase().endsWith(ending));
    if (found) return found;
  }
  return null;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

/** Send the files to the server as one set and open the one the others belong to. */
export async function upload(list: Iterable<File>): Promise<void> {
  const files = [...list];
  const problem = refusal(files, maxUpload.value);
  if (problem) return notice(problem, "error");
  const main = mainOf(files);
  if (!main) return;
  const set = Array.from(crypto.getRandomValues(new Uint8Array(8)), (b) => b.toString(16)).join("");
  uploads.value = files.map((f) => ({ name: f.name, part: 0, problem: "" }));
  dialog.value = "open"; // where the progress shows
  let source = "";
  try {
    for (const [k, file] of files.entries()) {
      const answer = await sendFile(file, set, (part) => told(k, part));
      if (file === main) source = answer;
    }
    send({ type: "open", source });
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error), "error");
  }
  uploads.value = [];
}

function told(row: number, part: number): void {
  uploads.value = uploads.value.map((u, k) => (k === row ? { ...u, part } : u));
}

/** Post one file; the answer names what to open. */
function sendFile(file: File, set: string, progress: (part: number) => void): Promise<string> {
  const address = new URL("upload", location.href);
  address.search = new URLSearchParams({ set, name: file.name }).toString();
  return new Promise((resolve, reject) => {
    // fetch cannot tell how much of a body has been sent
    const request = new XMLHttpRequest();
    request.upload.onprogress = (event) => progress(event.loaded / Math.max(1, event.total));
    request.onerror = () => reject(new Error(`${file.name} could not be sent to the server.`));
    request.onload = () => {
      const answer = read(request.responseText);
      if (request.status < 300 && typeof answer.source === "string") resolve(answer.source);
      else reject(new Error(`${file.name}: ${answer.error ?? `refused (HTTP ${request.status})`}`));
    };
    request.open("POST", address);
    request.send(file);
  });
}

function read(text: string): { source?: string; error?: string } {
  try {
    return JSON.parse(text) as { source?: string; error?: string };
  } catch {
    return { error: text.slice(0, 300) || undefined };
  }
}
