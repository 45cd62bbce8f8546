import { openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * A call as its worker recorded it, without a result if the worker was killed. Times are in milliseconds since the Unix
 * epoch.
 */
export interface RecordedCall<Call, Answer> {
  readonly call: Call;
  readonly begunAt: number;
  answeredAt?: number;
  answer?: Answer;
}

/** The beginning or the result of a call. */
export interface Moment<Call, Answer> {
  readonly happened: "begun" | "answered";
  readonly recorded: RecordedCall<Call, Answer>;
}

type Line<Call, Answer> =
  | { readonly number: number; readonly at: number; readonly call: Call }
  | { readonly number: number; readonly at: number; readonly answer: Answer };

/** Writes a line before and after each call, so that the calls of a killed process are known. */
export class Journal<Call, Answer> {
  readonly #file: number;
  #calls = 0;

  constructor(path: string) {
    this.#file = openSync(path, "a");
  }

  /** Makes the call between two lines of the journal. `answerOf` returns the part of the result to record. */
  async record<Result>(
    call: Call,
    make: () => Result | Promise<Result>,
    answerOf: (result: Result) => Answer,
  ): Promise<Result> {
    const number = ++this.#calls;
    this.#write({ number, at: Date.now(), call });
    const result = await make();
    this.#write({ number, at: Date.now(), answer: answerOf(result) });
    return result;
  }

  #write(line: Line<Call, Answer>): void {
    writeSync(
      this.#file,
      `${JSON.stringify(line, (_key, value) => (typeof value === "bigint" ? `${value}n` : value))}\n`,
    );
  }
}

/** Reads the journals of all workers in this folder. The lines of one worker are in order. */
export function readJournals<Call, Answer>(folder: string): Moment<Call, Answer>[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".journal"));
  const inOrder = names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return inOrder.flatMap((name) => readJournal<Call, Answer>(join(folder, name)));
}

/** Reads one journal. */
export function readJournal<Call, Answer>(path: string): Moment<Call, Answer>[] {
  const calls = new Map<number, RecordedCall<Call, Answer>>();
  // Text after the last line break was truncated by a kill.
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((text) => {
    const line: Line<Call, Answer> = JSON.parse(text, (_key, value) =>
      isWrittenBigInt(value) ? BigInt(value.slice(0, -1)) : value,
    );
    if ("call" in line) {
      const recorded = { call: line.call, begunAt: line.at };
      calls.set(line.number, recorded);
      return { happened: "begun", recorded };
    }
    const begun = calls.get(line.number);
    if (begun === undefined) throw new Error(`Call ${line.number} of ${path} was answered before it began.`);
    return { happened: "answered", recorded: Object.assign(begun, { answer: line.answer, answeredAt: line.at }) };
  });
}

function isWrittenBigInt(value: unknown): value is string {
  return typeof value === "string" && /^-?\d+n$/.test(value);
}
