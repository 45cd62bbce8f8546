import type { Session } from "./session.ts";

/** Opens the stores, lets the work do what a command does, and closes them, whatever happens. */
export type Run = (work: (session: Session) => Promise<void>) => Promise<void>;

/** The end of a command's help. */
export const example = (...lines: readonly string[]): string =>
  ["", lines.length === 1 ? "Example:" : "Examples:", ...lines.map((line) => `  $ tollgate ${line}`)].join("\n");
