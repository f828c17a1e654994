import { defineConfig } from "vite";

// The build goes into the package under fixed names: users need no Node, and the one-file page
// (cad2mbs/viewer/html.py) finds the script and the style sheet to put inside.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 1_000_000,
    chunkSizeWarningLimit: 1500,
    rollupOptions: {
      output: {
        entryFileNames: "page.js",
        assetFileNames: "page[extname]",
        codeSplitting: false,
      },
    },
  },
});
