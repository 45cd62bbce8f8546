import { inspectStructure } from "./inspect-structure.mjs";

const { violations, summary } = inspectStructure(process.argv[2] ?? process.cwd());
for (const violation of violations) console.error(violation);
console.log(summary);
process.exitCode = violations.length > 0 ? 1 : 0;
