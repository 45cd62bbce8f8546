import { findLayerViolations, layers } from "./layers.mjs";
import { findViolations } from "./rules.mjs";
import { readPackages, readRootDependencies } from "./source-files.mjs";

/**
 * Checks the packages and examples of a workspace against the rules that the linters do not check.
 * @param {string} root The folder of the workspace.
 * @returns {{ readonly violations: readonly string[], readonly summary: string, readonly layers: readonly string[] }} One
 * line for each violation, one with the medians, and one for each layer of core from the top down.
 */
export function inspectStructure(root) {
  const packages = readPackages(root);
  const sources = packages.flatMap((each) => each.sources).filter((source) => !source.isTest);
  const violations =
    sources.length === 0
      ? [`There is no source under ${root}/packages. Pass the root of the workspace.`]
      : [...findViolations(packages, readRootDependencies(root)), ...findLayerViolations(packages)];
  const files = sources.map((source) => source.lines);
  const functions = sources.flatMap((source) => source.functions.map((each) => each.lines));
  return {
    violations,
    summary:
      `Structure: ${files.length} files, median ${median(files)} lines, longest ${longest(files)}; ` +
      `${functions.length} named functions, median ${median(functions)} lines, longest ${longest(functions)}; ` +
      `${violations.length} violations.`,
    layers: layers.map(({ name, folders }, index) => `  ${index + 1} ${name}: ${folders.join(", ")}`),
  };
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** @param {readonly number[]} values */
function longest(values) {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
