/** @typedef {import("./suites.mjs").Suite} Suite */

/**
 * Returns the suites that parameters name, in their order, or what is wrong with them.
 * @param {readonly Suite[]} suites
 * @param {readonly string[]} parameters
 * @returns {{ readonly chosen: readonly Suite[], readonly isLong: boolean, readonly problem?: string }}
 */
export function chooseSuites(suites, parameters) {
  const names = suites.map(({ name }) => name);
  const isLong = parameters.includes("--long");
  const wanted = parameters.filter((each) => each !== "--long");
  const unknown = wanted.find((each) => !names.includes(each));
  if (unknown !== undefined) {
    const problem = `There is no suite "${unknown}". Did you mean "${nearest(unknown, names)}"? npm run test:all lists them.`;
    return { chosen: [], isLong, problem };
  }
  const chosen = wanted.flatMap((each) => suites.filter(({ name }) => name === each));
  const short = chosen.find(({ long }) => isLong && long === undefined);
  if (short !== undefined)
    return { chosen: [], isLong, problem: `The suite "${short.name}" has no long form. Leave out --long.` };
  return { chosen, isLong };
}

/**
 * Returns a table of the suites, with one line each.
 * @param {readonly Suite[]} suites
 */
export function tableOf(suites) {
  const rows = suites.map(({ name, time, long, runs }) => [name, time, long?.time ?? "", runs]);
  const [first = 0, second = 0, third = 0] = [0, 1, 2].map((at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0), 6),
  );
  const lines = [["suite", "time", "--long", "runs"], ...rows].map(([name = "", time = "", longTime = "", runs = ""]) =>
    [name.padEnd(first), time.padEnd(second), longTime.padEnd(third), runs].join("  "),
  );
  return [...lines, "", "npm run test:all -- faults soak runs two of them."].join("\n");
}

/**
 * Returns the name that differs from a word in the fewest characters.
 * @param {string} word
 * @param {readonly string[]} names
 */
function nearest(word, names) {
  return names.toSorted((a, b) => distance(word, a) - distance(word, b))[0];
}

/**
 * The Levenshtein distance: the characters to insert, remove or replace.
 * @param {string} from
 * @param {string} to
 */
function distance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++)
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === to[j] ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
