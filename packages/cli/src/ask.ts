import { createInterface } from "node:readline/promises";

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
