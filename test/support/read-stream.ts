/** A Response of this runtime or of undici. */
interface StreamedResponse {
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Yields the events of a streamed response as they arrive, without their `data: ` prefix, and comments unchanged. */
export async function* eventsOf({ body }: StreamedResponse): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      yield event.startsWith("data: ") ? event.slice(6) : event;
    }
  }
  if (text !== "") throw new Error(`The stream ended inside an event: ${text}`);
}

/** Returns all events of a stream. */
export async function allEvents(response: Response): Promise<string[]> {
  const all: string[] = [];
  for await (const event of eventsOf(response)) all.push(event);
  return all;
}
