import type { GatewayError } from "../errors/gateway-error.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import type { JsonObject } from "../wire/json.ts";
import type { PartialUsage, Usage } from "../wire/usage.ts";
import type { AnswerMarks } from "./answer-translator.ts";
import type { SecretSearch } from "./secret-search.ts";

/** What one event of an upstream's stream means, in a dialect that the client speaks too. */
export interface NativeEvent {
  /**
   * What the client gets: the bytes of the event as they are; another value as its data, such as one with the public model
   * id; or nothing. The last event is withheld, and `finish` returns it once the answer has been charged.
   */
  readonly frame: "unchanged" | "withheld" | JsonObject;
  /** Bytes of output in UTF-8 that no event before has brought. */
  readonly textBytes: number;
  /** True if it shows that reasoning is encrypted, redacted or empty. */
  readonly hasHiddenReasoning?: boolean;
  /** The same text, in which secrets are searched. Absent: none. */
  readonly text?: string;
  /** True for content, reasoning, a tool call or the end of the answer. */
  readonly isSubstantive: boolean;
  /** The usage of the whole answer so far, if the event reports one. */
  readonly usage?: Usage | PartialUsage | undefined;
  /** True when the upstream has said how its answer ends, so that it may be finished even if nothing more arrives. */
  readonly isComplete?: boolean;
  /** True for the last event of the stream. Nothing after it is read. */
  readonly isLast?: boolean;
  /** The error that the event reports, in the form of the upstream. */
  readonly error?: unknown;
}

/** Reads the stream of an upstream that speaks the dialect of the client. One reader reads one stream. It never throws. */
export interface NativeReader extends AnswerMarks {
  /** The types of the events that the dialect has, without those that report an error. */
  readonly types: ReadonlySet<string>;
  /**
   * Returns the bytes of output text of an event that the client gets as it is, found without parsing, at least 1; or -1 if
   * the event must be parsed. The event is in `bytes` from `start` to `end`, with its blank line. Adds its text to `output`.
   * `read` is the reference implementation.
   */
  deltaBytes(bytes: Uint8Array, start: number, end: number, output: SecretSearch): number;
  /** Reads the data of any other event of a known type. */
  read(data: JsonObject, name: string | undefined): NativeEvent;
  /** Returns the events that are still missing, with the usage that was charged. Never rejects. */
  finish(charged: Usage): Awaitable<Uint8Array>;
  /** Returns the event of an answer that failed after it began. */
  fail(error: GatewayError): Uint8Array;
}
