import type { ChatParameters } from "../wire/chat-completion-request.ts";
import type { Inspection } from "../wire/forwarding/inspect-request.ts";
import type { ReadRequest } from "../wire/forwarding/read-request.ts";
import { RequestText } from "../wire/forwarding/request-text.ts";
import { type Prompt, promptOf } from "../wire/prompt.ts";

const noBytes = new Uint8Array();
const noPrompt = promptOf([]);

/** The content of a chat completion request: its parameters, its messages, and its text, which is forwarded with some members changed. */
export class RequestContent {
  #chat: ChatParameters;
  #prompt: Prompt;
  #text: RequestText;
  /** The length of the body in bytes. */
  readonly bytes: number;
  /** Findings from the text of the body, which the parsed request does not contain. */
  readonly inspected: Pick<Inspection, "steering" | "ttl" | "asksForHour" | "spellings">;

  constructor(body: Uint8Array, { chat, prompt, whole }: ReadRequest, inspection: Inspection) {
    const { members, cuts, steering, ttl, asksForHour, spellings } = inspection;
    this.#chat = chat;
    this.#prompt = prompt;
    this.#text = new RequestText(body, { members, cuts }, whole);
    this.bytes = body.length;
    this.inspected = { steering, ttl, asksForHour, spellings };
  }

  /** The request without its messages. */
  get chat(): ChatParameters {
    return this.#chat;
  }

  get prompt(): Prompt {
    return this.#prompt;
  }

  /** The body, so that numbers can be forwarded with their original digits. */
  get text(): RequestText {
    return this.#text;
  }

  /** Releases the memory of the prompt, which a stream does not need after it has begun. Messages and text are empty afterwards. */
  forgetPrompt(): void {
    const { model, stream, stream_options } = this.#chat;
    this.#chat = { model, stream, stream_options };
    this.#prompt = noPrompt;
    this.#text = new RequestText(noBytes, { members: [], cuts: [] }, { ...this.#chat, messages: [] });
  }
}
