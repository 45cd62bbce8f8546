import {
  type ChatCompletion,
  type ChatCompletionChunk,
  collect,
  type FailureContext,
  gatherCompletion,
  isEventStream,
  type JsonObject,
  type ProviderAdapter,
  type ProviderCall,
  type ProviderCapabilities,
  ProviderError,
  type ProviderStream,
  sendCall,
  type TransportResponse,
  withExactSchemas,
  writeExactJson,
} from "@tollgate/core/provider";
import { invalidAnswer, readAnswer, readFrameList, readFrames } from "./answer-frames.ts";
import { FrameReducer } from "./frame-reducer.ts";
import { type Endpoint, type GoogleOptions, readEndpoint } from "./google-endpoint.ts";
import { type RequestSettings, toGeminiRequest } from "./map-request.ts";
import { toCompletion } from "./map-response.ts";
import { refused } from "./refused.ts";
import { alwaysRefused } from "./unsupported-fields.ts";

const longestBody = 16 * 1024 * 1024;

/**
 * A provider over the Gemini API, whose models are named as there: "gemini-2.5-flash". Thought signatures travel in
 * `extra_content` of tool calls and messages; a client that sends the history back as it came keeps them. Throws a
 * TypeError when an option cannot be used. Follows https://ai.google.dev/api/generate-content
 */
export function google(options: GoogleOptions): ProviderAdapter {
  return new Google(readEndpoint(options), options);
}

/** An answer that began well, and what is known of its upstream for what may still fail. */
interface Asked {
  readonly response: TransportResponse;
  readonly context: FailureContext;
}

class Google implements ProviderAdapter {
  readonly name: string;
  readonly capabilities: ProviderCapabilities = {
    streamUsage: true,
    outputCapField: "max_completion_tokens",
    pricedFields: [],
    refusedFields: alwaysRefused,
    // Google goes on with an answer whose reader has gone.
    cancel: "full-charge",
  };
  readonly #endpoint: Endpoint;
  readonly #settings: RequestSettings;

  constructor(endpoint: Endpoint, { name = "google", includeThoughts = true, safetySettings = [] }: GoogleOptions) {
    this.name = name;
    this.#endpoint = endpoint;
    this.#settings = { includeThoughts, safetySettings: structuredClone(safetySettings) };
  }

  async complete(call: ProviderCall): Promise<ChatCompletion> {
    const { response, context } = await this.#ask(call, "generateContent");
    // A gateway between here and Google may stream whatever it is asked.
    if (isEventStream(response)) return gatherCompletion(toChunks(readFrames(response.body, context), context));
    const answer = readAnswer(await readText(response), context);
    const completion = guarded(() => toCompletion(answer), context);
    if (completion === undefined) throw invalidAnswer(context, "JSON without candidates");
    return completion;
  }

  async stream(call: ProviderCall): Promise<ProviderStream> {
    const { response, context } = await this.#ask(call, "streamGenerateContent", "alt=sse");
    if (isEventStream(response)) {
      return { kind: "chunks", chunks: toChunks(readFrames(response.body, context), context) };
    }
    return { kind: "chunks", chunks: toChunks(readFrameList(await readText(response), context), context) };
  }

  async #ask(call: ProviderCall, method: string, query?: string): Promise<Asked> {
    const request = withExactSchemas(call);
    const context = { provider: this.name, hidden: [...this.#endpoint.hidden, request.model] };
    const post = {
      url: this.#endpoint.url(request.model, method, query),
      headers: this.#endpoint.headers,
      body: encode(() => toGeminiRequest(request, this.#settings)),
    };
    return { response: await sendCall(call, post, () => context), context };
  }
}

async function* toChunks(
  frames: AsyncIterable<JsonObject> | Iterable<JsonObject>,
  context: FailureContext,
): AsyncGenerator<ChatCompletionChunk> {
  const reducer = new FrameReducer();
  for await (const frame of frames) yield guarded(() => reducer.reduce(frame), context);
}

const readText = async (response: TransportResponse): Promise<string> =>
  new TextDecoder().decode(await collect(response.body, longestBody));

/** What nests too deeply for the stack can be neither mapped nor written as JSON. */
function encode(map: () => unknown): string {
  try {
    return writeExactJson(map());
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw refused("messages", "The request is nested too deeply for this model. Send flatter messages and tools.");
  }
}

function guarded<Result>(map: () => Result, context: FailureContext): Result {
  try {
    return map();
  } catch (cause) {
    if (ProviderError.is(cause)) throw cause;
    throw invalidAnswer(context, "content that cannot be passed on", cause);
  }
}
