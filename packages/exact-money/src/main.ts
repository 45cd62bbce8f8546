import { runCommand } from "./command.ts";

// A gateway that has not ended its calls of the provider must not keep the command running.
process.exit(await runCommand(process.argv.slice(2)));
