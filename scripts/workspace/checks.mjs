import { run } from "./run-command.mjs";

/** Runs the linters, and the checks of structure and of unused code. */
export function checkRules() {
  run("biome", ["check", "."]);
  run("oxlint", []);
  run("knip", ["--no-progress"]);
  run(process.execPath, ["test/structure/check.mjs"]);
}

/**
 * Packs every package as it was built, and checks its manifest, files, types and public surface.
 * @param {readonly string[]} [parameters] `--update` renews the snapshots of the public surface.
 */
export function checkPackages(parameters = []) {
  run(process.execPath, ["test/packages/check-packages.mjs", ...parameters]);
}
