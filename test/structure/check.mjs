import { inspectStructure } from "./inspect-structure.mjs";

const { violations, summary, layers } = inspectStructure(process.argv[2] ?? process.cwd());
for (const violation of violations) console.error(violation);
console.log(
  `${summary}\nLayers of packages/core/src, each of which imports only those below it:\n${layers.join("\n")}`,
);
process.exitCode = violations.length > 0 ? 1 : 0;
