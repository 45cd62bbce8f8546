import type { Tokens } from "../models.ts";
import type { Moment, UsagePlace } from "./script.ts";

/** An answer that is about to be sent. */
export interface PlannedAnswer {
  readonly id: string;
  readonly model: string;
  readonly pieces: readonly string[];
  readonly tokens: Tokens;
  /** The value of the member `usage`. Undefined: it is absent. */
  readonly usage: unknown;
  readonly usageAt: UsagePlace;
}

/** One event of a stream. */
export interface StreamEvent {
  /** The moment that has come when it has been sent. */
  readonly moment: Moment;
  readonly text: string;
  /** The content in it. */
  readonly piece?: string;
  /** True if it tells the usage of the whole answer. */
  readonly tells?: boolean;
}

/** How an API writes answers and usage. */
export interface AnswerForm {
  usageOf(tokens: Tokens): unknown;
  /** The body of an answer in one piece. */
  whole(answer: PlannedAnswer): unknown;
  events(answer: PlannedAnswer): readonly StreamEvent[];
}

/** The data of an event that names its type. */
export interface TypedData {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Returns a server-sent event. The `event:` line is that of the data's type, unless the API has no such lines. */
export const eventText = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** Returns `{ usage }`, or nothing without one. */
export const usageMember = ({ usage }: PlannedAnswer): object => (usage === undefined ? {} : { usage });
