import { createInterface } from "node:readline/promises";
import type { Writable } from "node:stream";

/** An output stream. `columns` is its width if it is a terminal. */
type TextStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The environment of the program. */
export interface Terminal {
  readonly out: TextStream;
  readonly err: TextStream;
  /** The folder of the config file. */
  readonly cwd: string;
  /** Aborts when the operator interrupts the command. */
  readonly signal?: AbortSignal;
  /** Asks a question that is answered with yes or no. Absent: nobody can answer. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

/** The reader of the output has closed it, such as `| head`. */
export class BrokenPipe extends Error {}

/** Writes text and waits until the stream has accepted it, so that a slow reader applies backpressure. */
export function write(stream: TextStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error) resolve();
      else reject(isBrokenPipe(error) ? new BrokenPipe() : error);
    });
  });
}

const isBrokenPipe = (error: Error): boolean =>
  "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");

/** Asks a question whose answer is yes or, by default, no. An interruption is a no. */
export async function askOn(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  const terminal = createInterface({ input, output });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal })).trim());
  } catch {
    return false;
  } finally {
    terminal.close();
  }
}
