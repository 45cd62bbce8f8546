import { endingSignal } from "./ending-signal.ts";
import { runCli } from "./run-cli.ts";

const { stdout: out, stderr: err } = process;

// Each write tells its own failure; without a listener the same failure would end the process.
for (const stream of [out, err]) stream.on("error", () => undefined);

process.exitCode = await runCli(process.argv.slice(2), { out, err, cwd: process.cwd(), signal: endingSignal() });

/** A pool that the config file left open would keep the process for as long as its server lets it. */
const lingering = setTimeout(() => {
  err.write(
    "The command has ended, but something that the config file opened is still open. Close it in its `close`.\n",
  );
  process.exit();
}, 1_000);
lingering.unref();
