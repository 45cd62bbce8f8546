import { maxAnswerBytes } from "@tollgate/core/internal";
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
  withLosslessSchemas,
  writeLosslessJson,
} from "@tollgate/core/provider";
import { invalidAnswer, readAnswer, readFrameList, readFrames } from "./answer-frames.ts";
import { type Endpoint, type GoogleOptions, readEndpoint } from "./google-endpoint.ts";
import { type RequestSettings, toGeminiRequest } from "./map-request.ts";
import { FrameReducer, toCompletion } from "./map-response.ts";
import { alwaysRefused, refused } from "./refused.ts";

/**
 * Creates a provider for the Gemini API. Models have the names of the API, such as "gemini-2.5-flash". Thought signatures
 * are in `extra_content` of tool calls and messages; a client keeps them by sending messages back unchanged. Throws a
 * TypeError for an invalid option. Follows https://ai.google.dev/api/generate-content
 */
export function google(options: GoogleOptions): ProviderAdapter {
  return new Google(readEndpoint(options), options);
}

class Google implements ProviderAdapter {
  readonly name: string;
  readonly capabilities: ProviderCapabilities = {
    streamUsage: true,
    outputCapField: "max_completion_tokens",
    pricedFields: [],
    refusedFields: alwaysRefused,
    // Google continues to generate an answer after its client has disconnected.
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
    const { response, context } = await this.#send(call, "generateContent");
    // A gateway in front of Google may stream although the request did not ask for a stream.
    if (isEventStream(response)) return gatherCompletion(toChunks(readFrames(response.body, context), context));
    const answer = readAnswer(await readText(response), context);
    const completion = asInvalidAnswer(() => toCompletion(answer), context);
    if (completion === undefined) throw invalidAnswer(context, "JSON without candidates");
    return completion;
  }

  async stream(call: ProviderCall): Promise<ProviderStream> {
    const { response, context } = await this.#send(call, "streamGenerateContent", "alt=sse");
    if (isEventStream(response)) {
      return { kind: "chunks", chunks: toChunks(readFrames(response.body, context), context) };
    }
    return { kind: "chunks", chunks: toChunks(readFrameList(await readText(response), context), context) };
  }

  /** Resolves to a successful response, whose body is not read yet, and the context for errors in it. */
  async #send(call: ProviderCall, method: string, query?: string) {
    const request = withLosslessSchemas(call);
    const { publicModel } = call;
    const context = { provider: this.name, publicModel, hidden: [...this.#endpoint.hidden, request.model] };
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
  for await (const frame of frames) yield asInvalidAnswer(() => reducer.reduce(frame), context);
}

const readText = async (response: TransportResponse): Promise<string> =>
  new TextDecoder().decode(await collect(response.body, maxAnswerBytes));

/** A request that is nested too deeply overflows the stack when it is mapped or written as JSON. */
function encode(map: () => unknown): string {
  try {
    return writeLosslessJson(map());
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw refused("messages", "The request is nested too deeply for this model. Send flatter messages and tools.");
  }
}

/** Reports an unexpected error of a mapping as an invalid response. */
function asInvalidAnswer<Result>(map: () => Result, context: FailureContext): Result {
  try {
    return map();
  } catch (cause) {
    if (ProviderError.is(cause)) throw cause;
    throw invalidAnswer(context, "content that cannot be mapped", cause);
  }
}
