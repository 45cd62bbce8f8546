import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const folder = mkdtempSync(join(tmpdir(), "tollgate-packed-"));
try {
  pack(folder);
  const tarballs = readdirSync(folder).sort();
  const problems = (await Promise.all(tarballs.map((name) => check(name)))).flat();
  for (const problem of problems) console.error(problem);
  console.log(`Packages: ${tarballs.length} packed, ${problems.length} problems.`);
  process.exitCode = problems.length > 0 || tarballs.length === 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {string} destination */
function pack(destination) {
  const parameters = ["--recursive", "--filter", "./packages/*", "pack", "--pack-destination", destination];
  const { status, stdout, stderr } = spawnSync("npx", ["--yes", "pnpm@10.34.9", ...parameters], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The packages cannot be packed. Build them first.\n${stdout}${stderr}`);
}

/**
 * @param {string} name
 * @returns {Promise<readonly string[]>}
 */
async function check(name) {
  const tarball = readFileSync(join(folder, name));
  return [...(await checkManifest(tarball)), ...(await checkTypes(tarball))].map((problem) => `${name}: ${problem}`);
}

/** @param {Buffer} tarball */
async function checkManifest(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/**
 * Checks the types as ES modules and bundlers resolve them. The packages contain no CommonJS; Node's `require` loads
 * their ES modules.
 * @param {Buffer} tarball
 */
async function checkTypes(tarball) {
  const result = await checkPackage(createPackageFromTarballData(tarball));
  if (result.types === false) return ["has no types. Build the types first."];
  return result.problems
    .filter((problem) => !("resolutionKind" in problem) || /^(?:node16-esm|bundler)$/.test(problem.resolutionKind))
    .filter((problem) => !("resolutionOption" in problem) || problem.resolutionOption !== "node10")
    .map((problem) => `types: ${JSON.stringify(problem, (key, value) => (key === "trace" ? undefined : value))}`);
}
