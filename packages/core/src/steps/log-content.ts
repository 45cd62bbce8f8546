import type { DialectCodec } from "../answering/dialect-codec.ts";
import type { ContentLog } from "../content/content-log.ts";
import { LoggedStream } from "../content/logged-stream.ts";
import type { ResponseStream } from "../ports/gateway-response.ts";
import type { Held } from "../request/request-stages.ts";
import { decodeFrames } from "../streaming/frames.ts";

/** Stores the request and its JSON response, if its model or its key asks for it. */
export function logCompletion(content: ContentLog, held: Held, json: string): void {
  if (!isLogged(held)) return;
  content.add({
    ...identityOf(held),
    request: requestOf(held, content.maxBytes),
    response: json.length <= content.maxBytes ? json : undefined,
  });
}

/** Returns the body of a stream, which stores the request and its merged frames at the end if its model or its key asks for it. */
export function logStream(
  content: ContentLog,
  held: Held,
  body: ResponseStream,
  { mergeFrames }: Pick<DialectCodec, "mergeFrames">,
): ResponseStream {
  if (!isLogged(held)) return body;
  // Read now, since a stream releases its prompt.
  const request = requestOf(held, content.maxBytes);
  const identity = identityOf(held);
  return new LoggedStream(body, content.maxBytes, (frames) => {
    const merge = (bytes: Uint8Array) => mergeFrames(decodeFrames(bytes));
    content.add({ ...identity, request, response: frames && { frames, merge } });
  });
}

const isLogged = ({ model, key }: Held): boolean => model.logContent || key.logContent === true;

const identityOf = ({ id, startedAt, key, model }: Held) => ({
  id,
  at: new Date(startedAt),
  account: key.account,
  keyId: key.id,
  model: model.id,
});

function requestOf({ content }: Held, maxBytes: number): Uint8Array | undefined {
  return content.bytes <= maxBytes ? content.original : undefined;
}
