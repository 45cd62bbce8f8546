import type { Writable } from "node:stream";

/** A stream that takes text; `columns` is its width when it is a terminal. */
export type TextStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What the program is given of the world. */
export interface Terminal {
  readonly out: TextStream;
  readonly err: TextStream;
  /** The folder in which a config file is looked for. */
  readonly cwd: string;
  /** Aborted when the operator interrupts; absent: never. */
  readonly signal?: AbortSignal;
}

/** Nobody reads the output any more, such as behind `| head`. */
export class BrokenPipe extends Error {}

/** Writes and waits until the text was taken, so that a slow reader slows the command and not its memory. */
export function write(stream: TextStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (fault) => {
      if (!fault) resolve();
      else reject(isBrokenPipe(fault) ? new BrokenPipe() : fault);
    });
  });
}

const isBrokenPipe = (fault: Error): boolean =>
  "code" in fault && (fault.code === "EPIPE" || fault.code === "ERR_STREAM_DESTROYED");
