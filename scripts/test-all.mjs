// Usage: npm run test:all -- <suite ...> [--long]
// Runs suites that `npm test` leaves out, one after another. Without a suite, it prints them all.
import { buildCode, buildDeclarations } from "./workspace/build-steps.mjs";
import { chooseSuites, tableOf } from "./workspace/choose-suites.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";
import { statusOf } from "./workspace/run-command.mjs";
import { suites } from "./workspace/suites.mjs";

const choice = chooseSuites(suites, process.argv.slice(2));
if (choice.problem !== undefined) {
  console.error(choice.problem);
  process.exit(1);
}
if (choice.chosen.length === 0) console.log(tableOf(suites));
else runAll(choice.chosen, choice.isLong);

/**
 * @param {readonly import("./workspace/suites.mjs").Suite[]} chosen
 * @param {boolean} isLong
 */
function runAll(chosen, isLong) {
  installDependencies();
  if (chosen.some(({ needs }) => needs !== undefined)) buildCode();
  if (chosen.some(({ needs }) => needs === "declarations")) buildDeclarations();
  const results = chosen.map(({ name, commands, long }) => {
    const wanted = isLong ? (long?.commands ?? commands) : commands;
    return {
      name,
      passed: wanted.every(({ program, parameters, env }) => statusOf(program, parameters, { env }) === 0),
    };
  });
  if (chosen.length > 1) for (const { name, passed } of results) console.log(`${name} ${passed ? "passed" : "failed"}`);
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
}
