import type { Session } from "./session.ts";

/** Opens the stores, runs the work of a command, and always closes them. */
export type Run = (work: (session: Session) => Promise<void>) => Promise<void>;

/** Formats the examples at the end of a command's help. */
export const example = (...lines: readonly string[]): string =>
  ["", lines.length === 1 ? "Example:" : "Examples:", ...lines.map((line) => `  $ tollgate ${line}`)].join("\n");
