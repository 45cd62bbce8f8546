import { type ClientDataChanges, mergeClientData } from "../ports/client-data.ts";
import type { LogPage, MergeResult, NewSession, PageSize, Session, StoredLog } from "../ports/session-store.ts";
import { readClientData, readLog } from "../ports/stored-json.ts";
import type { WebhookLog } from "../ports/webhook-log.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";
import { writeExactJson } from "../wire/exact-json.ts";
import { byteLength } from "../wire/utf8.ts";
import { firstFitting } from "./fitting.ts";
import { MemoryHistory } from "./memory-history.ts";

const keepLogs = 200;

/** One session in memory. What comes in is kept as JSON text, so that nobody outside holds a part of it. */
export class MemorySession {
  readonly account: string;
  readonly history = new MemoryHistory();
  readonly #about: Pick<Session, "id" | "account" | "assistantId">;
  readonly #ttlMs: number;
  readonly #createdAt: number;
  readonly #logs: { readonly sequence: number; readonly text: string; readonly bytes: number }[] = [];
  #logBytes = 0;
  #clientData: string;
  #clientDataBytes: number;
  #updatedAt: number;
  #expiresAt: number;
  #lastLog = 0;
  #lock: { readonly turnId: string; readonly until: number } | undefined;

  constructor({ id, account, assistantId, clientData, ttlMs }: NewSession, now: number) {
    this.account = account;
    this.#about = { id, account, assistantId };
    this.#clientData = writeExactJson(clientData);
    this.#clientDataBytes = byteLength(this.#clientData);
    this.#ttlMs = ttlMs;
    this.#createdAt = now;
    this.#updatedAt = now;
    this.#expiresAt = now + ttlMs;
  }

  get createdAt(): number {
    return this.#createdAt;
  }

  /** Bytes of all that it keeps. */
  get bytes(): number {
    return this.#clientDataBytes + this.history.bytes + this.#logBytes;
  }

  /** Bytes of its client data, which is all of it that a page of sessions holds. */
  get recordBytes(): number {
    return this.#clientDataBytes;
  }

  isOver(now: number): boolean {
    return this.#expiresAt <= now;
  }

  use(now: number): void {
    this.#expiresAt = now + this.#ttlMs;
  }

  record(): Session {
    const clientData = readClientData(this.#clientData);
    return { ...this.#about, clientData, createdAt: new Date(this.#createdAt), updatedAt: new Date(this.#updatedAt) };
  }

  /** `bytesLeft`: how much larger it may become. */
  merge(changes: ClientDataChanges, now: number, bytesLeft: number): MergeResult {
    const merged = mergeClientData(readClientData(this.#clientData), changes);
    if ("problem" in merged) return { outcome: "refused", problem: merged.problem };
    const text = writeExactJson(merged.clientData);
    const bytes = byteLength(text);
    const grown = bytes - this.#clientDataBytes;
    if (grown > 0 && grown > bytesLeft) return { outcome: "full" };
    this.#clientData = text;
    this.#clientDataBytes = bytes;
    this.#updatedAt = now;
    return { outcome: "merged", session: this.record() };
  }

  lock(turnId: string, leaseMs: number, now: number): boolean {
    if (this.#lock !== undefined && this.#lock.turnId !== turnId && this.#lock.until > now) return false;
    this.#lock = { turnId, until: now + leaseMs };
    return true;
  }

  /** Whether the turn has the lock; also after its lease ran out, as long as no other turn took it. */
  hasLock(turnId: string): boolean {
    return this.#lock?.turnId === turnId;
  }

  endTurn(messages: readonly ChatMessage[], images: readonly string[], now: number): void {
    this.#lock = undefined;
    if (messages.length === 0 && images.length === 0) return;
    this.history.append(messages, images, now);
    this.#updatedAt = now;
  }

  appendLog(log: WebhookLog): void {
    this.#lastLog += 1;
    const text = writeExactJson(log);
    const bytes = byteLength(text);
    this.#logs.push({ sequence: this.#lastLog, text, bytes });
    this.#logBytes += bytes;
    if (this.#logs.length > keepLogs) this.#logBytes -= this.#logs.shift()?.bytes ?? 0;
  }

  logs(before: number, size: PageSize): LogPage {
    const rest = this.#logs.filter(({ sequence }) => sequence < before).reverse();
    const logs = firstFitting(rest, size).map(toStoredLog);
    const last = logs.at(-1);
    return rest.length > logs.length && last !== undefined ? { logs, next: last.sequence } : { logs };
  }
}

const toStoredLog = ({ sequence, text }: { readonly sequence: number; readonly text: string }): StoredLog => ({
  sequence,
  log: readLog(text),
});
