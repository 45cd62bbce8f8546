/** A `fetch` for clients, and what the server sent them. */
export interface RecordingFetch {
  readonly fetch: typeof fetch;
  /** The text of the last response, when it has ended. Throws if there was none. */
  lastText(): Promise<string>;
  readonly last: () => Response;
}

/** Creates a `fetch` that keeps a copy of every response. */
export function recordingFetch(): RecordingFetch {
  const received: { readonly response: Response; readonly text: Promise<string> }[] = [];
  const last = () => {
    const each = received.at(-1);
    if (each === undefined) throw new Error("There was no response.");
    return each;
  };
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const text = response.clone().text();
      // A client that leaves ends the copy as well.
      text.catch(() => undefined);
      received.push({ response, text });
      return response;
    },
    last: () => last().response,
    lastText: () => last().text,
  };
}
