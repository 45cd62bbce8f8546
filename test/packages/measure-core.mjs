import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const conditions = ["workerd", "worker", "browser"];
const gateway = 'export { createGateway } from "@tollgate/core";';
const withAssistants = `${gateway} export { assistants } from "@tollgate/assistants";`;

await print("createGateway", gateway);
await print("createGateway and assistants", withAssistants);
await printParts();

/**
 * Prints the size of a program that hosts bundle from the built packages.
 * @param {string} title
 * @param {string} program
 */
async function print(title, program) {
  const { outputFiles } = await bundle(program, conditions);
  const text = outputFiles[0]?.contents ?? new Uint8Array();
  const compressed = gzipSync(text, { level: 9 }).length;
  console.log(`${title}: ${inKilobytes(text.length)} KB minified, ${inKilobytes(compressed)} KB with gzip`);
}

/** Prints which folders of core, and which dependencies, the bytes of `createGateway` come from. */
async function printParts() {
  const { metafile } = await bundle(gateway, ["@tollgate/source", ...conditions]);
  /** @type {Map<string, number>} */
  const parts = new Map();
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const part = partOf(path);
      parts.set(part, (parts.get(part) ?? 0) + bytesInOutput);
    }
  const largest = [...parts].sort(([, a], [, b]) => b - a).slice(0, 20);
  for (const [part, size] of largest) console.log(`${inKilobytes(size).padStart(8)} KB minified  ${part}`);
}

/**
 * @param {string} program
 * @param {string[]} wanted
 */
function bundle(program, wanted) {
  return build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    mainFields: ["browser", "module", "main"],
    conditions: wanted,
    logLevel: "error",
  });
}

/**
 * @param {string} path
 * @returns {string}
 */
function partOf(path) {
  const dependency = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return dependency ?? /packages\/core\/src\/([^/]+(?:\/[^/.]+(?=\/))?)/.exec(path)?.[1] ?? path;
}

/** @param {number} bytes */
function inKilobytes(bytes) {
  return (bytes / 1_000).toFixed(1);
}
