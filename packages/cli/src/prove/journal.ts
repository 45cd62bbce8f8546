import { openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** What a process saw happen. Amounts are nano-units as text. */
export type ProofEvent =
  /** The store has answered. */
  | {
      readonly did: "hold";
      readonly id: string;
      readonly account: string;
      readonly amount: string;
      readonly receipt: { readonly requestId: string };
    }
  | {
      readonly did: "settle";
      readonly id: string;
      readonly amount: string;
      readonly outcome: string;
      readonly receipt: unknown;
    }
  | { readonly did: "release"; readonly id: string; readonly outcome: string }
  | {
      readonly did: "credit";
      readonly id: string;
      readonly account: string;
      readonly amount: string;
      readonly outcome: string;
    }
  /** The stand-in is about to send the usage of its answer. */
  | { readonly did: "send"; readonly requestId: string; readonly input: number; readonly output: number }
  /** The client has a whole answer, or was refused. */
  | { readonly did: "answer"; readonly requestId: string }
  | { readonly did: "refuse"; readonly status: number }
  /** The process has ended all of its requests. Nothing follows. */
  | { readonly did: "drain" };

/** An event, and when it was written, in milliseconds since the Unix epoch. */
export type JournalLine = ProofEvent & { readonly at: number };

/** Writes each event before the process goes on, so that a kill cannot lose what was acknowledged. */
export class Journal {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, "a");
  }

  write(event: ProofEvent): void {
    writeSync(this.#file, `${toJson({ ...event, at: Date.now() })}\n`);
  }
}

/** Writes a value as JSON, with bigints as text. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_name, member) => (typeof member === "bigint" ? member.toString() : member));

/** Returns the lines of each journal in the folder. */
export function readJournals(folder: string): readonly (readonly JournalLine[])[] {
  return readdirSync(folder).map((name) => {
    // A kill can cut off the last line.
    const lines = readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1);
    return lines.map((line): JournalLine => JSON.parse(line));
  });
}
