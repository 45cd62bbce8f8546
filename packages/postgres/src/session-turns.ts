import type { TextRow } from "@tollgate/core/internal";
import type { ChatMessage } from "@tollgate/core/provider";
import {
  checkedWholeNumber,
  type SessionRef,
  type SessionStore,
  type TurnRequest,
  type TurnStart,
} from "@tollgate/core/store";
import type { Database } from "./database.ts";
import { toSession } from "./session-pages.ts";
import { beginTurnStatement, endedTurnStatement, endTurnStatement, renewTurnStatement } from "./statements/turns.ts";

/** Takes the lock of a session and reads its history, in one statement. */
export async function beginTurn(database: Database, ref: SessionRef, turn: TurnRequest): Promise<TurnStart> {
  const historyLimit = checkedWholeNumber("historyLimit", turn.historyLimit, 0);
  const limits = [historyLimit, turn.historyBytes ?? null, turn.accountBytes ?? null, turn.loadBytes ?? null];
  const values = [turn.turnId, crypto.randomUUID(), turn.leaseMs, ...limits];
  for (;;) {
    const [row] = await database.runFor(beginTurnStatement, ref, values);
    if (row === undefined) return { outcome: "unknown" };
    const outcome = row.oneOf("outcome", ["begun", "busy", "full", "larger", "overtaken"]);
    if (outcome === "begun") return toTurnStart(row);
    if (outcome === "larger") return { outcome, bytes: Number(row.text("bytes")) };
    if (outcome !== "overtaken") return { outcome };
  }
}

function toTurnStart(row: TextRow): TurnStart {
  const messages: readonly ChatMessage[] = JSON.parse(row.text("messages"));
  const imagesOfTurns: readonly (readonly string[])[] = JSON.parse(row.text("images"));
  return { outcome: "begun", session: toSession(row), images: imagesOfTurns.flat(), messages };
}

/** Renews the lease of a turn that still has the lock. */
export async function renewTurn(
  database: Database,
  ref: SessionRef,
  { turnId, leaseMs }: Parameters<SessionStore["renewTurn"]>[1],
): Promise<boolean> {
  const rows = await database.runFor(renewTurnStatement, ref, [turnId, leaseMs]);
  return rows.length > 0;
}

/** Appends the messages and images of the turn and releases the lock, in one statement. */
export async function endTurn(
  database: Database,
  ref: SessionRef,
  { turnId, messages, images }: Parameters<SessionStore["endTurn"]>[1],
): Promise<boolean> {
  const call = crypto.randomUUID();
  const texts = messages.map((message) => JSON.stringify(message));
  const urls = JSON.stringify(images);
  const bytes = [...texts, images.length > 0 ? urls : ""].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const ended = await database.runFor(endTurnStatement, ref, [turnId, call, texts, urls, bytes]);
  if (ended.length > 0) return true;
  // An earlier attempt may have taken effect although its response was lost. A later snapshot shows it.
  return (await database.runFor(endedTurnStatement, ref, [call])).length > 0;
}
