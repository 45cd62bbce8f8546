import { ProviderError } from "../errors/provider-error.ts";
import type { ByteStream } from "../ports/byte-stream.ts";
import type { NativeMethod } from "../ports/provider-adapter.ts";
import type { FailureContext } from "../upstream/failure.ts";
import { readReportedError } from "../upstream/frame-reports.ts";
import { decodeUtf8 } from "../wire/bytes.ts";
import { tryParseJson } from "../wire/json.ts";
import { collect, maxAnswerBytes } from "./byte-streams.ts";
import { bodyFormat } from "./completion-body.ts";
import { besideChat, type Endpoint } from "./openai-endpoint.ts";
import { peek } from "./peek.ts";
import { isEventStream, sendCall } from "./send-call.ts";

/** 2,048 vectors of 3,072 numbers, the most that OpenAI returns, take about 70 MB of JSON. */
const maxBodyBytes = { "/responses": maxAnswerBytes, "/embeddings": 128 * 1024 * 1024 };

/**
 * Makes the method by which an OpenAI-compatible upstream answers in another of its APIs, at a path beside
 * `/chat/completions`. `provider` is the name of the adapter. The headers of the client never replace those of the host.
 */
export function openaiNative(endpoint: Endpoint, provider: string, path: "/responses" | "/embeddings"): NativeMethod {
  const url = besideChat(endpoint, path);
  const { headers, hidden, secrets } = endpoint;
  return async (call) => {
    const { publicModel } = call;
    const context = () => ({ provider, publicModel, hidden: [...hidden, call.model] });
    const post = { url, headers: { ...call.headers, ...headers }, body: call.encoded() };
    const response = await sendCall(call, post, context);
    if (!call.stream) return { kind: "json", body: await collect(response.body, maxBodyBytes[path]), hidden, secrets };
    const bytes = isEventStream(response) ? response.body : await readUntyped(await peek(response.body), context);
    return { kind: "stream", bytes, hidden, secrets };
  };
}

/** Some upstreams send an event stream with another content type, or an error with status 200. */
async function readUntyped(
  { start, stream }: Awaited<ReturnType<typeof peek>>,
  context: () => FailureContext,
): Promise<ByteStream> {
  const format = bodyFormat(start);
  if (format === "event-stream") return stream;
  if (format === "json") throw notAStream(await collect(stream, maxAnswerBytes), context);
  stream.cancel();
  throw notAStream(undefined, context);
}

function notAStream(body: Uint8Array | undefined, context: () => FailureContext): ProviderError {
  const { provider = "The provider" } = context();
  const value = tryParseJson((body && decodeUtf8(body)) ?? "null");
  const message = `${provider} answered without an event stream, although one was requested. Check that the base URL is that of an OpenAI-compatible API.`;
  return readReportedError(value, context) ?? new ProviderError("invalid_response", message);
}
