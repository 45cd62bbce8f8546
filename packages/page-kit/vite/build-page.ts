import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin, UserConfig } from "vite";

/** Returns the configuration that builds the page of a folder into `../src/page` as a module of strings. */
export const pageBuild = (folder: string): UserConfig & { readonly plugins: Plugin[] } => ({
  root: folder,
  base: "./",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  resolve: { dedupe: ["preact", "@preact/signals", "preact-iso"] },
  build: {
    target: "es2023",
    modulePreload: false,
    reportCompressedSize: false,
    write: false,
    assetsInlineLimit: 0,
  },
  plugins: [embedPage(join(folder, "../src/page/page-files.generated.ts"))],
});

/** The media types of the files that Vite writes. */
const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** Writes the built page as a module of strings, so that no file is read at run time. */
function embedPage(module: string): Plugin {
  return {
    name: "embed-page",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const files = Object.values(bundle).map((file) => {
          const source = file.type === "chunk" ? file.code : file.source;
          return embedded(file.fileName, typeof source === "string" ? source : new TextDecoder().decode(source));
        });
        writeFileSync(
          module,
          `/** The files of the page by their path. Made by \`node scripts/build.mjs\`. */\nexport const pageFiles = ${JSON.stringify(Object.fromEntries(files))};\n`,
        );
      },
    },
  };
}

function embedded(path: string, text: string): readonly [string, object] {
  const type = types[path.slice(path.lastIndexOf(".") + 1)];
  if (type === undefined) throw new Error(`${path} has no media type. Add its extension to build-page.ts.`);
  const tag = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  return [path, { type, tag, text, ...(text.length > leastCompressed && compressed(text)) }];
}

/** Shorter texts fit into one packet as they are. */
const leastCompressed = 1_200;

/** The compressed text in base64, by content coding. */
const compressed = (text: string) => ({
  br: brotliCompressSync(text).toString("base64"),
  gzip: gzipSync(text, { level: 9 }).toString("base64"),
});
