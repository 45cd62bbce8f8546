import { errorBody, type GatewayError } from "../../../errors/gateway-error.ts";
import type { NativeRequest } from "../../../request/native-request.ts";
import type { ChunkEncoder } from "../../../upstream/answer-translator.ts";
import { encodeEvent } from "../../../upstream/native-translator.ts";
import { encodeUtf8, joinBytes } from "../../../wire/bytes.ts";
import { isJsonObject, isText, type JsonObject } from "../../../wire/json.ts";
import { writeLosslessJson } from "../../../wire/lossless-json.ts";
import type { Usage } from "../../../wire/usage.ts";
import type { ItemEvent } from "./output-items.ts";
import { endingOf, type ResponseHead, type ResponseObject, responseObject } from "./response-object.ts";
import { StreamedOutput } from "./streamed-output.ts";

/** An event about the response, without its number. The last one has the type of its end. */
export interface ResponseEvent {
  readonly type:
    | "response.created"
    | "response.in_progress"
    | "response.completed"
    | "response.incomplete"
    | "response.failed";
  readonly response: ResponseObject;
}

/**
 * Writes the chunks of a chat completion as the events of a response, numbered from 0.
 * Follows https://platform.openai.com/docs/api-reference/responses-streaming
 */
export class ResponsesEncoder implements ChunkEncoder {
  readonly forwardsChunks = false;
  readonly #head: ResponseHead;
  readonly #onAnswer: NativeRequest["onAnswer"];
  readonly #output: StreamedOutput;
  #number = 0;
  #finishReason: string | undefined;

  constructor(head: ResponseHead, onAnswer: NativeRequest["onAnswer"]) {
    this.#head = head;
    this.#onAnswer = onAnswer;
    this.#output = new StreamedOutput(head.ids, head.echo.otherTools);
  }

  get answerId(): string {
    return this.#head.ids.response;
  }

  encode(chunk: JsonObject): Uint8Array | undefined {
    const frames = this.#begin();
    const [choice] = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
    if (isJsonObject(choice)) {
      const { delta, finish_reason: reason } = choice;
      if (isJsonObject(delta)) this.#write(this.#output.add(delta), frames);
      if (isText(reason)) this.#finishReason = reason;
      // Calls have ended, so that the client can run them while the usage is awaited.
      if (isText(reason)) this.#write(this.#output.close(endingOf(reason).status), frames);
    }
    return frames.length === 0 ? undefined : joinBytes(frames);
  }

  async finish(charged: Usage): Promise<Uint8Array> {
    const frames = this.#begin();
    const { status, incomplete_details } = endingOf(this.#finishReason);
    this.#write(this.#output.close(status), frames);
    const ended = { status, incomplete_details, output: this.#output.items, usage: charged };
    const response = await answered(writeLosslessJson(responseObject(this.#head, ended)), this.#onAnswer);
    frames.push(this.#encode(`response.${status}`, response));
    return joinBytes(frames);
  }

  fail(error: GatewayError): Uint8Array {
    const frames = this.#begin();
    const response = responseObject(this.#head, {
      status: "failed",
      output: this.#output.items,
      error: responseError(error),
    });
    this.#write([{ type: "response.failed", response }], frames);
    return joinBytes(frames);
  }

  /** Returns the first events, once. */
  #begin(): Uint8Array[] {
    const frames: Uint8Array[] = [];
    if (this.#number > 0) return frames;
    const response = responseObject(this.#head, { status: "in_progress", output: [] });
    this.#write(
      [
        { type: "response.created", response },
        { type: "response.in_progress", response },
      ],
      frames,
    );
    return frames;
  }

  #write(events: readonly (ItemEvent | ResponseEvent)[], frames: Uint8Array[]): void {
    for (const event of events) {
      if ("response" in event) frames.push(this.#encode(event.type, writeLosslessJson(event.response)));
      else frames.push(encodeEvent(event.type, this.#numbered(event)));
    }
  }

  #numbered({ type, ...rest }: ItemEvent) {
    return { type, sequence_number: this.#number++, ...rest };
  }

  /** Encodes an event about the response, which is JSON already. */
  #encode(type: ResponseEvent["type"], response: string): Uint8Array {
    return encodeResponseEvent(type, this.#number++, response);
  }
}

/** Encodes an event about a response, whose JSON it has. */
export const encodeResponseEvent = (type: string, number: number, response: string): Uint8Array =>
  encodeUtf8(
    `event: ${type}\ndata: {"type":${JSON.stringify(type)},"sequence_number":${number},"response":${response}}\n\n`,
  );

/** Returns the response for the client. A store that fails must not take the answer away. */
export async function answered(json: string, onAnswer: NativeRequest["onAnswer"]): Promise<string> {
  if (onAnswer === undefined) return json;
  try {
    return await onAnswer(json);
  } catch {
    return json;
  }
}

/** Returns the error of a response that failed, as OpenAI names errors in responses. */
export function responseError(error: GatewayError): NonNullable<ResponseObject["error"]> {
  const { code, message } = errorBody(error);
  const isRate = code === "upstream_overloaded" || code === "rate_limit_exceeded";
  return { code: isRate ? "rate_limit_exceeded" : "server_error", message: String(message) };
}
