import type { ChatMessage } from "../wire/chat-completion-request.ts";
import type { Media } from "../wire/media.ts";
import type { Prompt } from "../wire/prompt.ts";

/** The prompt of a request in another dialect than chat completions, whose messages are translated on first access. */
export class DeferredPrompt<Parsed> implements Prompt {
  readonly messageCount: number;
  readonly images: Media["images"];
  readonly unknown: Media["unknown"];
  readonly #request: () => Parsed;
  readonly #translate: (request: Parsed) => readonly ChatMessage[];
  #messages: readonly ChatMessage[] | undefined;

  /** `length` is the number of messages or items. The system prompt or the instructions count as one more. */
  constructor(
    length: number,
    images: Media["images"],
    unknown: Media["unknown"],
    request: () => Parsed,
    translate: (request: Parsed) => readonly ChatMessage[],
  ) {
    this.messageCount = length + 1;
    this.images = images;
    this.unknown = unknown;
    this.#request = request;
    this.#translate = translate;
  }

  get messages(): readonly ChatMessage[] {
    this.#messages ??= this.#translate(this.#request());
    return this.#messages;
  }
}
