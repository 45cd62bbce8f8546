/** One event of a stream, as an upstream sends it. */
export interface UpstreamEvent {
  /** The name in the `event:` line. Undefined: there is none. */
  readonly name: string | undefined;
  /** The value of the `data:` line, as JSON unless it is a string. */
  readonly data: unknown;
  /** True if the event carries text, reasoning or arguments. */
  readonly isContent: boolean;
}

/** Returns the bytes of an event. */
export function eventText({ name, data }: UpstreamEvent): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}

/** How an API sends the answers and errors of a model. */
export interface ApiForm<Answer> {
  /** An answer in one piece. */
  whole(answer: Answer, model: string): unknown;
  /** An answer as a stream. */
  events(answer: Answer, model: string): readonly UpstreamEvent[];
  /** The body of an error. */
  error(message: string): unknown;
  /** The event of an error after `before` events of a stream. */
  errorEvent(message: string, before: number): UpstreamEvent;
}
