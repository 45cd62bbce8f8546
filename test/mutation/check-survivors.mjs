import { readFileSync } from "node:fs";
import { partToMutate } from "./parts.mjs";
import { survivors } from "./survivors.mjs";

const { name, folder } = partToMutate();
const listed = Object.entries(survivors)
  .filter(([file]) => file.startsWith(`${folder}/`))
  .flatMap(([file, byReason]) =>
    Object.values(byReason).flatMap((mutants) => mutants.map((each) => `${file}: ${each}`)),
  );
const found = readSurvivors(`test-results/mutation-${name}.json`);

const unlisted = without(found, listed);
const gone = without(listed, found);
for (const each of unlisted) console.error(`A mutant survives. Test it, or list it in survivors.mjs. ${each}`);
for (const each of gone)
  console.error(`A listed mutant does not survive any more. Remove it from survivors.mjs. ${each}`);
console.log(
  `${name}: ${found.length} mutants survive, of which ${found.length - unlisted.length} are listed with a reason.`,
);
if (unlisted.length > 0 || gone.length > 0) process.exitCode = 1;

/**
 * Returns the mutants of a report that no test killed, as "file: code → replacement".
 * @param {string} report
 * @returns {string[]}
 */
function readSurvivors(report) {
  /** @type {{ files: Record<string, { source: string, mutants: Mutant[] }> }} */
  const { files } = JSON.parse(readFileSync(report, "utf8"));
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => status === "Survived" || status === "NoCoverage")
      .map((mutant) => `${file}: ${short(codeAt(source, mutant.location), 80)} → ${short(mutant.replacement, 200)}`),
  );
}

/**
 * @typedef {{ line: number, column: number }} Position Both count from 1.
 * @typedef {{ start: Position, end: Position }} Location
 * @typedef {{ status: string, replacement: string, location: Location }} Mutant
 */

/**
 * @param {string} source
 * @param {Location} location
 */
function codeAt(source, { start, end }) {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? "").slice(0, end.column - 1);
  lines[0] = (lines[0] ?? "").slice(start.column - 1);
  return lines.join("\n");
}

/**
 * @param {string} code
 * @param {number} most Characters.
 */
function short(code, most) {
  const line = code.replace(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/**
 * Returns the items of a list without those of another, each as often as it is there.
 * @param {readonly string[]} items
 * @param {readonly string[]} removed
 */
function without(items, removed) {
  const left = [...removed];
  return items.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
