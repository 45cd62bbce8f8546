import type { ChatParameters } from "../wire/chat-completion-request.ts";
import type { Inspection } from "../wire/forwarding/inspect-request.ts";
import type { ReadRequest } from "../wire/forwarding/read-request.ts";
import { RequestText } from "../wire/forwarding/request-text.ts";
import { type Prompt, promptOf } from "../wire/prompt.ts";

const noBytes = new Uint8Array();
const noPrompt = promptOf([]);

/** What a chat completion asks for: its settings, its messages, and its text, which is sent on with some members changed. */
export class RequestContent {
  #chat: ChatParameters;
  #prompt: Prompt;
  #text: RequestText;
  /** The length of the body in bytes. */
  readonly bytes: number;
  /** What only the text of the body shows. */
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

  /** The body, so that it can be sent on with its numbers as they came. */
  get text(): RequestText {
    return this.#text;
  }

  /** Releases the prompt, which a stream no longer needs once it has begun: messages and text are empty from now on. */
  forgetPrompt(): void {
    const { model, stream, stream_options } = this.#chat;
    this.#chat = { model, stream, stream_options };
    this.#prompt = noPrompt;
    this.#text = new RequestText(noBytes, { members: [], cuts: [] }, { ...this.#chat, messages: [] });
  }
}
