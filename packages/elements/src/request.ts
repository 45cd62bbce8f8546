import { type ElementTexts, fill } from "./texts.ts";

/** A refusal of the server, or a failure to reach it, in a sentence for the customer. `status` is 0 without a response. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends a request and reads its JSON. Rejects with a {@link RequestError}. */
export async function requestJson<Answer>(texts: ElementTexts, url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { ...init, cache: "no-store" }).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    throw new RequestError(0, texts.noResponse);
  });
  const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
  if (response.ok && isJson) return response.json();
  const body: { error?: { message?: string } } = isJson ? await response.json().catch(() => ({})) : {};
  throw new RequestError(response.status, body.error?.message ?? fill(texts.failed, { status: response.status }));
}

/** The parts of a request that makes a change. */
export const changeOf = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: body === undefined ? null : JSON.stringify(body),
});
