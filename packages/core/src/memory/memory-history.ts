import type { MessagePage, StoredMessage } from "../ports/session-store.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";

const keepMessages = 10_000;

interface KeptMessage {
  readonly sequence: number;
  readonly at: number;
  readonly text: string;
  readonly beginsTurn: boolean;
}

/** Messages and images of one session. It keeps the newest 10,000 messages, whole turns of them, and all images. */
export class MemoryHistory {
  #messages: KeptMessage[] = [];
  readonly #images: string[] = [];
  #last = 0;

  append(messages: readonly ChatMessage[], images: readonly string[], at: number): void {
    for (const [index, message] of messages.entries()) {
      this.#last += 1;
      const text = JSON.stringify(message);
      this.#messages.push({ sequence: this.#last, at, text, beginsTurn: index === 0 });
    }
    for (const image of images) this.#images.push(image);
    if (this.#messages.length > keepMessages) this.#messages = newestTurns(this.#messages, keepMessages);
  }

  images(): string[] {
    return [...this.#images];
  }

  /** The newest messages, at most `limit`, from the first message of a turn on. */
  newest(limit: number): ChatMessage[] {
    return newestTurns(this.#messages, limit).map(readMessage);
  }

  page(limit: number, after: number): MessagePage {
    const rest = this.#messages.filter(({ sequence }) => sequence > after);
    const messages = rest.slice(0, limit).map(readStored);
    const last = messages.at(-1);
    return rest.length > messages.length && last !== undefined ? { messages, next: last.sequence } : { messages };
  }
}

function newestTurns(messages: readonly KeptMessage[], limit: number): KeptMessage[] {
  const newest = messages.slice(Math.max(0, messages.length - limit));
  const start = newest.findIndex(({ beginsTurn }) => beginsTurn);
  return start === -1 ? [] : newest.slice(start);
}

function readMessage({ text }: KeptMessage): ChatMessage {
  return JSON.parse(text);
}

function readStored(kept: KeptMessage): StoredMessage {
  return { sequence: kept.sequence, at: new Date(kept.at), message: readMessage(kept) };
}
