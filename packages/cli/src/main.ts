import { endingSignal } from "./interruption.ts";
import { runCli } from "./run-cli.ts";
import { askOn } from "./terminal.ts";

const { stdout: out, stderr: err } = process;

// Each write reports its own failure. Without a listener, the error event would also end the process.
for (const stream of [out, err]) stream.on("error", () => undefined);

const signal = endingSignal();
const isAnswered = process.stdin.isTTY && err.isTTY;
process.exitCode = await runCli(process.argv.slice(2), {
  out,
  err,
  cwd: process.cwd(),
  signal,
  ...(isAnswered && { confirm: (question: string) => askOn(process.stdin, err, question, signal) }),
});

/** A pool that the config file left open could keep the process running indefinitely. */
const lingering = setTimeout(() => {
  err.write("The command has ended, but the config file has left a connection or timer open. Close it in `close`.\n");
  process.exit();
}, 1_000);
lingering.unref();
