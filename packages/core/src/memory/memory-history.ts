import type { MessagePage, PageSize, StoredMessage, TurnRequest } from "../ports/session-store.ts";
import { byteLength } from "../wire/bytes.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";
import { firstFitting, nextOf } from "./pages.ts";

const maxMessages = 10_000;

interface HistoryMessage {
  readonly sequence: number;
  readonly at: number;
  readonly text: string;
  readonly bytes: number;
  readonly beginsTurn: boolean;
}

const infinity = Number.POSITIVE_INFINITY;

/** The messages and images of one session. Keeps whole turns of the newest 10,000 messages, and all images. */
export class MemoryHistory {
  #messages: HistoryMessage[] = [];
  readonly #images: string[] = [];
  #imageBytes = 0;
  #last = 0;
  #bytes = 0;

  /** The bytes of all messages and images. */
  get bytes(): number {
    return this.#bytes + this.#imageBytes;
  }

  /** The number of turns whose messages it keeps. */
  get turns(): number {
    return this.#messages.filter(({ beginsTurn }) => beginsTurn).length;
  }

  append(messages: readonly ChatMessage[], images: readonly string[], at: number): void {
    for (const [index, message] of messages.entries()) {
      this.#last += 1;
      const text = JSON.stringify(message);
      const bytes = byteLength(text);
      this.#bytes += bytes;
      this.#messages.push({ sequence: this.#last, at, text, bytes, beginsTurn: index === 0 });
    }
    for (const image of images) {
      this.#images.push(image);
      this.#imageBytes += byteLength(image) + quotes;
    }
    if (this.#messages.length > maxMessages) this.#dropOldest();
  }

  /**
   * Returns all images, and the newest whole turns within the limits of the request, oldest first; or how many bytes these
   * have, if they exceed `loadBytes`. The newest turn is always included.
   */
  load({ historyLimit, historyBytes = infinity, loadBytes = infinity }: TurnRequest) {
    const turns = turnsOf(newestTurns(this.#messages, historyLimit)).reverse();
    const fitting = firstFitting(turns, { limit: turns.length, maxBytes: historyBytes });
    const bytes = fitting.reduce((sum, turn) => sum + turn.bytes, this.#imageBytes);
    if (bytes > loadBytes) return bytes;
    const messages = fitting.reverse().flatMap((turn) => turn.messages.map(readMessage));
    return { images: [...this.#images], messages };
  }

  page(after: number, size: PageSize): MessagePage {
    const start = this.#messages.findIndex(({ sequence }) => sequence > after);
    const rest = start === -1 ? [] : this.#messages.slice(start, start + size.limit + 1);
    const messages = firstFitting(rest, size).map(readStored);
    return { messages, ...nextOf(messages, rest.length, ({ sequence }) => sequence) };
  }

  #dropOldest(): void {
    const kept = newestTurns(this.#messages, maxMessages);
    for (const { bytes } of this.#messages.slice(0, this.#messages.length - kept.length)) this.#bytes -= bytes;
    this.#messages = kept;
  }
}

/** The quotes of an image as JSON, which count as bytes too. */
const quotes = 2;

function newestTurns(messages: readonly HistoryMessage[], limit: number): HistoryMessage[] {
  const newest = messages.slice(Math.max(0, messages.length - limit));
  const start = newest.findIndex(({ beginsTurn }) => beginsTurn);
  return start === -1 ? [] : newest.slice(start);
}

function turnsOf(messages: readonly HistoryMessage[]): { bytes: number; readonly messages: HistoryMessage[] }[] {
  const turns: { bytes: number; readonly messages: HistoryMessage[] }[] = [];
  for (const message of messages) {
    const current = turns.at(-1);
    if (message.beginsTurn || current === undefined) turns.push({ bytes: message.bytes, messages: [message] });
    else {
      current.bytes += message.bytes;
      current.messages.push(message);
    }
  }
  return turns;
}

function readMessage({ text }: HistoryMessage): ChatMessage {
  return JSON.parse(text);
}

function readStored(kept: HistoryMessage): StoredMessage {
  return { sequence: kept.sequence, at: new Date(kept.at), message: readMessage(kept) };
}
