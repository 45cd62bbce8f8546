import { runCreate } from "./run-create.ts";

const { stdin: input, stdout: output, stderr: errors } = process;
const isInteractive = Boolean(input.isTTY && output.isTTY);

process.exitCode = await runCreate(process.argv.slice(2), { input, output, errors, cwd: process.cwd(), isInteractive });
