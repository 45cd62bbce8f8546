import { checkPackage } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { checkFiles } from "./check-files.mjs";
import { checkManifest } from "./check-manifest.mjs";
import { packPackages } from "./packed-packages.mjs";
import { checkSurface } from "./public-surface.mjs";

/** @typedef {import("./packed-packages.mjs").Packed} Packed */

const packages = packPackages();
const version = packages[0]?.manifest.version ?? "";
const problems = (await Promise.all(packages.map(check))).flat();
problems.push(...checkSurface(packages, { update: process.argv.includes("--update") }));
for (const problem of problems) console.error(problem);
for (const { name, tarball, files } of packages)
  console.log(`${name.padEnd(24)} ${(tarball.length / 1_000).toFixed(1).padStart(6)} KB packed, ${files.length} files`);
console.log(`Packages: ${packages.length} packed, ${problems.length} problems.`);
process.exitCode = problems.length > 0 || packages.length === 0 ? 1 : 0;

/**
 * @param {Packed} packed
 * @returns {Promise<readonly string[]>}
 */
async function check(packed) {
  const found = [
    ...checkManifest(packed, version),
    ...checkFiles(packed),
    ...(await lint(packed)),
    ...(await checkTypes(packed)),
  ];
  return found.map((problem) => `${packed.name}: ${problem}`);
}

/** @param {Packed} packed */
async function lint({ tarball }) {
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/**
 * Checks the types as ES modules and bundlers resolve them. The packages contain no CommonJS; Node's `require` loads
 * their ES modules.
 * @param {Packed} packed
 */
async function checkTypes({ types }) {
  const result = await checkPackage(types);
  if (result.types === false) return ["has no types. Build the types first."];
  return result.problems
    .filter((problem) => !("resolutionKind" in problem) || /^(?:node16-esm|bundler)$/.test(problem.resolutionKind))
    .filter((problem) => !("resolutionOption" in problem) || problem.resolutionOption !== "node10")
    .map((problem) => `types: ${JSON.stringify(problem, (key, value) => (key === "trace" ? undefined : value))}`);
}
