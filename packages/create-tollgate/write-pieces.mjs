import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import tsBlankSpace from "ts-blank-space";

// Writes the templates, in TypeScript and in JavaScript, and the versions of the packages that they need to
// src/pieces.generated.ts. The versions are those that the tests use.
const templates = join(import.meta.dirname, "templates");
const packages = ["@hono/node-server", "@photostructure/sqlite", "express", "fastify", "hono", "pg"];
const packagesForTypeScript = ["@types/express", "@types/node", "@types/pg", "tsx", "typescript"];

const paths = readdirSync(templates, { encoding: "utf8", recursive: true }).filter((path) => path.endsWith(".ts"));
const inTypeScript = paths.sort().map((path) => readFileSync(join(templates, path), "utf8"));
const inJavaScript = formatAll(inTypeScript.map(removeTypes));
const pieces = Object.fromEntries(
  paths.map((path, at) => [path.replace(/\.ts$/, ""), { ts: inTypeScript[at], js: inJavaScript[at] }]),
);
const tsconfig = readFileSync(join(templates, "tsconfig.json"), "utf8");
const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, "../../test/package.json"), "utf8"));
const versions = Object.fromEntries(
  [...packages, ...packagesForTypeScript].map((name) => [name, devDependencies[name].replace(/^\^?/, "^")]),
);

const constants = [
  { name: "pieces", comment: "The files of apps, in both languages.", value: pieces },
  { name: "tsconfig", comment: "The settings of TypeScript.", value: tsconfig },
  { name: "versions", comment: "The versions of the packages that are not part of Tollgate.", value: versions },
].map(({ name, comment, value }) => `/** ${comment} */\nexport const ${name} = ${JSON.stringify(value, null, 2)};\n`);
writeFileSync(join(import.meta.dirname, "src/pieces.generated.ts"), constants.join("\n"));

/**
 * Replaces types by spaces, drops the lines that this leaves empty, and imports files of JavaScript.
 * @param {string} typescript
 */
function removeTypes(typescript) {
  const before = typescript.split("\n");
  const lines = tsBlankSpace(typescript).split("\n");
  const kept = lines.filter((line, at) => line.trim() !== "" || before[at] === "");
  return kept.join("\n").replaceAll(/ from "(\.\/[\w-]+)\.ts"/g, ' from "$1.js"');
}

/**
 * Formats all files at once, since each start of Biome takes time.
 * @param {readonly string[]} files
 */
function formatAll(files) {
  const border = "// The next file\n";
  const options = ["format", "--stdin-file-path=template.js"];
  const biome = spawnSync("node_modules/.bin/biome", options, { input: files.join(border), encoding: "utf8" });
  if (biome.status !== 0) throw new Error(`Biome cannot format the templates:\n${biome.stderr}`);
  return biome.stdout.split(border).map((file) => `${file.trim()}\n`);
}
