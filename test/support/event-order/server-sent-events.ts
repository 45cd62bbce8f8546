import { isRecord } from "../is-record.ts";

/** One event of a stream. */
export interface ServerSentEvent {
  readonly name: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads a stream of events, each an optional `event:` line, one `data:` line with an object, and a blank line. */
export function readEvents(text: string): ServerSentEvent[] {
  if (!text.endsWith("\n\n")) throw new Error(`The stream ends inside an event: ${text.slice(-200)}`);
  return text.slice(0, -2).split("\n\n").map(readEvent);
}

function readEvent(text: string): ServerSentEvent {
  const match = /^(?:event: ([^\n]+)\n)?data: ([^\n]+)$/.exec(text);
  if (match === null) throw new Error(`This is not one event with a name and data: ${text}`);
  const [, name, json = ""] = match;
  const data: unknown = JSON.parse(json);
  if (!isRecord(data)) throw new Error(`The data of an event is not an object: ${json}`);
  return { name, data };
}

/** Returns the member of an event, which must be an object. */
export function objectIn(data: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const value = data[name];
  if (!isRecord(value)) throw new Error(`"${name}" must be an object: ${JSON.stringify(data)}`);
  return value;
}

/** Returns the member of an event, which must be a text. */
export function textIn(data: Readonly<Record<string, unknown>>, name: string): string {
  const value = data[name];
  if (typeof value !== "string") throw new Error(`"${name}" must be a text: ${JSON.stringify(data)}`);
  return value;
}

/** Throws an error with the event if a rule does not hold. */
export function expectRule(holds: boolean, rule: string, event: ServerSentEvent): void {
  if (!holds) throw new Error(`${rule}: ${JSON.stringify(event)}`);
}
