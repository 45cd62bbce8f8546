import type { ChatMessage, MessagePage, StoredMessage } from "@tollgate/core";
import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import type { Row } from "./row.ts";
import { isMessage, isText } from "./session-json.ts";
import type { Command, Query } from "./statement.ts";

/** A message of earlier turns. */
interface HistoryMessage {
  readonly startsTurn: boolean;
  readonly message: ChatMessage;
}

/** The rows of tollgate_session_message and tollgate_session_image; both are counted from 1 in each session. */
export class MessageRows {
  readonly #page: Query<StoredMessage>;
  readonly #newest: Query<HistoryMessage>;
  readonly #images: Query<string>;
  readonly #addMessage: Command;
  readonly #addImage: Command;

  constructor(connection: Connection) {
    const next = (table: string) => `(SELECT coalesce(max(sequence), 0) + 1 FROM ${table} WHERE session_id = ?1)`;
    this.#page = connection.query(
      `SELECT sequence, at, message FROM tollgate_session_message
        WHERE session_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
      toStoredMessage,
    );
    this.#newest = connection.query(
      `SELECT starts_turn, message FROM tollgate_session_message
        WHERE session_id = ? ORDER BY sequence DESC LIMIT ?`,
      (row) => ({ startsTurn: row.integer("starts_turn") === 1n, message: row.json("message", isMessage) }),
    );
    this.#images = connection.query(
      "SELECT url FROM tollgate_session_image WHERE session_id = ? ORDER BY sequence",
      (row) => row.json("url", isText),
    );
    this.#addMessage = connection.command(
      `INSERT INTO tollgate_session_message (session_id, sequence, starts_turn, at, message)
        VALUES (?1, ${next("tollgate_session_message")}, ?2, ?3, ?4)`,
    );
    this.#addImage = connection.command(
      `INSERT INTO tollgate_session_image (session_id, sequence, url)
        VALUES (?1, ${next("tollgate_session_image")}, ?2)`,
    );
  }

  page(sessionId: string, limit: number, after: number): MessagePage {
    const found = this.#page.all(searchable(sessionId), after, limit + 1);
    const messages = found.slice(0, limit);
    const last = messages.at(-1);
    return found.length > limit && last !== undefined ? { messages, next: last.sequence } : { messages };
  }

  /** The newest messages, oldest first, without those of a turn whose beginning is beyond the limit. */
  history(sessionId: string, limit: number): readonly ChatMessage[] {
    const newest = this.#newest.all(sessionId, limit).reverse();
    const start = newest.findIndex(({ startsTurn }) => startsTurn);
    return start < 0 ? [] : newest.slice(start).map(({ message }) => message);
  }

  images(sessionId: string): readonly string[] {
    return this.#images.all(sessionId);
  }

  /** Adds what one turn brought, as JSON texts. */
  add(sessionId: string, messages: readonly string[], images: readonly string[]): void {
    const now = Date.now();
    for (const [position, message] of messages.entries()) {
      this.#addMessage.run(sessionId, position === 0 ? 1 : 0, now, message);
    }
    for (const image of images) this.#addImage.run(sessionId, image);
  }
}

function toStoredMessage(row: Row): StoredMessage {
  return {
    sequence: Number(row.integer("sequence")),
    at: row.time("at"),
    message: row.json("message", isMessage),
  };
}
