import { type ClientDataChanges, mergeClientData } from "../ports/client-data.ts";
import type { SessionOverview } from "../ports/session-admin.ts";
import type { LogPage, MergeResult, NewSession, PageSize, Session, StoredLog } from "../ports/session-store.ts";
import { readClientData, readLog } from "../ports/stored-json.ts";
import type { WebhookLog } from "../ports/webhook-log.ts";
import { byteLength } from "../wire/bytes.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";
import { writeLosslessJson } from "../wire/lossless-json.ts";
import { MemoryHistory } from "./memory-history.ts";
import { firstFitting, nextOf } from "./pages.ts";

const maxLogs = 200;

/** One session in memory. Values are stored as JSON text, so that callers cannot change them. */
export class MemorySession {
  readonly account: string;
  readonly history = new MemoryHistory();
  readonly #identity: Pick<Session, "id" | "account" | "assistantId">;
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
    this.#identity = { id, account, assistantId };
    this.#clientData = writeLosslessJson(clientData);
    this.#clientDataBytes = byteLength(this.#clientData);
    this.#ttlMs = ttlMs;
    this.#createdAt = now;
    this.#updatedAt = now;
    this.#expiresAt = now + ttlMs;
  }

  get createdAt(): Date {
    return new Date(this.#createdAt);
  }

  /** The bytes of client data, messages, images and logs. */
  get bytes(): number {
    return this.#clientDataBytes + this.history.bytes + this.#logBytes;
  }

  /** The bytes of the session in a page of sessions, which are those of its client data. */
  get recordBytes(): number {
    return this.#clientDataBytes;
  }

  /** True if it is of this account and this assistant; undefined stands for any. */
  belongsTo(account: string | undefined, assistantId: string | undefined): boolean {
    return (
      (account === undefined || account === this.account) &&
      (assistantId === undefined || assistantId === this.#identity.assistantId)
    );
  }

  isExpired(now: number): boolean {
    return this.#expiresAt <= now;
  }

  use(now: number): void {
    this.#expiresAt = now + this.#ttlMs;
  }

  record(): Session {
    const clientData = readClientData(this.#clientData);
    return {
      ...this.#identity,
      clientData,
      createdAt: this.createdAt,
      updatedAt: new Date(this.#updatedAt),
    };
  }

  overview(): SessionOverview {
    return { ...this.record(), turns: this.history.turns, expiresAt: new Date(this.#expiresAt) };
  }

  /** `bytesLeft` limits by how much the session may grow. */
  merge(changes: ClientDataChanges, now: number, bytesLeft: number): MergeResult {
    const merged = mergeClientData(readClientData(this.#clientData), changes);
    if ("problem" in merged) return { outcome: "refused", problem: merged.problem };
    const text = writeLosslessJson(merged.clientData);
    const bytes = byteLength(text);
    const growth = bytes - this.#clientDataBytes;
    if (growth > 0 && growth > bytesLeft) return { outcome: "full" };
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

  /** True when the turn has the lock, even after its lease has expired, until another turn takes it. */
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
    const text = writeLosslessJson(log);
    const bytes = byteLength(text);
    this.#logs.push({ sequence: this.#lastLog, text, bytes });
    this.#logBytes += bytes;
    if (this.#logs.length > maxLogs) this.#logBytes -= this.#logs.shift()?.bytes ?? 0;
  }

  logs(before: number, size: PageSize): LogPage {
    const rest = this.#logs.filter(({ sequence }) => sequence < before).reverse();
    const logs = firstFitting(rest, size).map(toStoredLog);
    return { logs, ...nextOf(logs, rest.length, ({ sequence }) => sequence) };
  }
}

const toStoredLog = ({ sequence, text }: { readonly sequence: number; readonly text: string }): StoredLog => ({
  sequence,
  log: readLog(text),
});
