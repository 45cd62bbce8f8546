import { nextOf } from "@tollgate/core/internal";
import type { ChatMessage } from "@tollgate/core/provider";
import {
  firstFitting,
  type MessagePage,
  type PageSize,
  type StoredMessage,
  type TurnRequest,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import { type Row, type Sized, toSized } from "./row.ts";
import type { Command, Query } from "./statement.ts";

/** The position and size of a message of an earlier turn. */
interface HistoryPosition extends Sized {
  readonly sequence: bigint;
  readonly startsTurn: boolean;
}

/** What a turn loads of its session. */
interface History {
  /** The first of its messages. Undefined if there are none. */
  readonly start: bigint | undefined;
  /** The bytes of its messages and of all images. */
  readonly bytes: number;
}

/** The rows of tollgate_session_message and tollgate_session_image, both numbered from 1 in each session. */
export class MessageRows {
  readonly #sizes: Query<Sized>;
  readonly #page: Query<StoredMessage>;
  readonly #newest: Query<HistoryPosition>;
  readonly #from: Query<ChatMessage>;
  readonly #images: Query<string>;
  readonly #imageSize: Query<Sized>;
  readonly #addMessage: Command;
  readonly #addImage: Command;

  constructor(connection: Connection) {
    const next = (table: string) => `(SELECT coalesce(max(sequence), 0) + 1 FROM ${table} WHERE session_id = ?1)`;
    const after = "FROM tollgate_session_message WHERE session_id = ? AND sequence > ? ORDER BY sequence LIMIT ?";
    this.#sizes = connection.query(`SELECT octet_length(message) AS bytes ${after}`, toSized);
    this.#page = connection.query(`SELECT sequence, at, message ${after}`, toStoredMessage);
    this.#newest = connection.query(
      `SELECT sequence, starts_turn, octet_length(message) AS bytes FROM tollgate_session_message
        WHERE session_id = ? ORDER BY sequence DESC LIMIT ?`,
      (row) => ({
        ...toSized(row),
        sequence: row.integer("sequence"),
        startsTurn: row.integer("starts_turn") === 1n,
      }),
    );
    this.#from = connection.query(
      "SELECT message FROM tollgate_session_message WHERE session_id = ? AND sequence >= ? ORDER BY sequence",
      (row) => row.json("message", isMessage),
    );
    this.#images = connection.query(
      "SELECT url FROM tollgate_session_image WHERE session_id = ? ORDER BY sequence",
      (row) => row.json("url", isText),
    );
    this.#imageSize = connection.query(
      "SELECT coalesce(sum(octet_length(url)), 0) AS bytes FROM tollgate_session_image WHERE session_id = ?",
      toSized,
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

  page(sessionId: string, after: number, size: PageSize): MessagePage {
    const id = searchable(sessionId);
    const found = this.#sizes.all(id, after, size.limit + 1);
    const messages = this.#page.all(id, after, firstFitting(found, size).length);
    return { messages, ...nextOf(messages, found.length, ({ sequence }) => sequence) };
  }

  /** Finds all images and the newest complete turns within the limits. The newest turn is included whatever its size. */
  historyOf(sessionId: string, { historyLimit, historyBytes = Number.POSITIVE_INFINITY }: TurnRequest): History {
    let start: bigint | undefined;
    let [bytes, included] = [0, 0];
    for (const row of this.#newest.all(sessionId, historyLimit)) {
      bytes += row.bytes;
      if (start !== undefined && bytes > historyBytes) break;
      if (row.startsTurn) [start, included] = [row.sequence, bytes];
    }
    return { start, bytes: included + (this.#imageSize.first(sessionId)?.bytes ?? 0) };
  }

  /** Returns the messages, oldest first, and all images. */
  load(sessionId: string, { start }: History) {
    const messages = start === undefined ? [] : this.#from.all(sessionId, start);
    return { messages, images: this.#images.all(sessionId) };
  }

  /** Adds the messages and images of one turn, as JSON texts. */
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

/** Tells whether a parsed JSON value is a message. */
const isMessage = (value: unknown): value is ChatMessage => isRecord(value) && typeof value["role"] === "string";

/**
 * Tells whether a parsed JSON value is a string. Strings are stored as JSON because SQLite would change some of them.
 */
const isText = (value: unknown): value is string => typeof value === "string";

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
