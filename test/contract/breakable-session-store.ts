import type { ChatMessage } from "@tollgate/core/provider";
import { writeExactJson } from "@tollgate/core/provider";
import type {
  ClientData,
  ClientDataChanges,
  CreateResult,
  LogPage,
  MergeResult,
  MessagePage,
  NewSession,
  PageSize,
  Session,
  SessionLimits,
  SessionPage,
  SessionPosition,
  SessionRef,
  SessionStore,
  StoredLog,
  StoredMessage,
  TurnRequest,
  TurnStart,
  WebhookLog,
} from "@tollgate/core/store";
import { mergeClientData, readClientData, readLog } from "@tollgate/core/store";
import {
  BreakableSessionSizes,
  bytesOf,
  fitting,
  lastUsedFirst,
  newestFirst,
  newestWithin,
  type Row,
} from "./breakable-session-sizes.ts";
import type { SessionFlaws } from "./session-flaws.ts";

/** The plainest store that satisfies the contract, with a switch for each mistake. */
export class BreakableSessionStore implements SessionStore {
  readonly #flaws: SessionFlaws;
  readonly #rows = new Map<string, Row>();
  readonly #leftLogs = new Map<string, StoredLog[]>();
  readonly #sizes: BreakableSessionSizes;

  constructor(flaws: SessionFlaws) {
    this.#flaws = flaws;
    this.#sizes = new BreakableSessionSizes(flaws, this.#rows);
  }

  async create(made: NewSession): Promise<CreateResult> {
    if (this.#rows.has(made.id) && !this.#flaws.createOverwrites) throw new Error("There is such a session already.");
    const limit = this.#sizes.exceeded(made);
    if (this.#flaws.limitReadEarly) await Promise.resolve();
    if (limit !== undefined) return { outcome: "full", limit };
    const now = new Date();
    const clientData = this.#copy(made.clientData, readClientData);
    const row: Row = {
      made,
      createdAt: now,
      updatedAt: now,
      expiresAt: now.getTime() + made.ttlMs,
      clientData,
      clientDataAtBegin: clientData,
      lock: undefined,
      messages: [],
      images: [],
      imagesOfLastTurn: [],
      logs: this.#leftLogs.get(made.id) ?? [],
    };
    this.#rows.set(made.id, row);
    return { outcome: "created", session: this.#session(row) };
  }

  async find(ref: SessionRef): Promise<Session | undefined> {
    const row = this.#find(ref);
    if (row !== undefined && this.#flaws.readingRenews) row.expiresAt = Date.now() + row.made.ttlMs;
    return row && this.#session(row);
  }

  async list(account: string, page: PageSize & { readonly before?: SessionPosition }): Promise<SessionPage> {
    const { before } = page;
    const mine = [...this.#rows.values()].filter(
      ({ made, expiresAt }) =>
        (made.account === account || this.#flaws.listShared) &&
        (expiresAt > Date.now() || this.#flaws.listKeepsExpired),
    );
    const newest = mine.map((row) => this.#session(row)).sort(this.#flaws.listByUse ? lastUsedFirst : newestFirst);
    if (this.#flaws.listOldestFirst) newest.reverse();
    const from = newest.findIndex(({ id }) => id === before?.id) + 1;
    const after =
      before && !this.#flaws.listNeedsCursor ? (each: Session) => newestFirst(before, each) < 0 : () => true;
    const rest = (this.#flaws.listNeedsCursor ? newest.slice(from) : newest).filter(after);
    const sessions = fitting(this.#flaws, rest, page, ({ clientData }) => clientData);
    const last = sessions.at(-1);
    const isLast = last === undefined || (rest.length <= sessions.length && !this.#flaws.nextAlways);
    return isLast ? { sessions } : { sessions, next: { createdAt: last.createdAt, id: last.id } };
  }

  async merge(
    ref: SessionRef,
    changes: ClientDataChanges,
    { bytes = Number.POSITIVE_INFINITY }: Pick<SessionLimits, "bytes"> = {},
  ): Promise<MergeResult> {
    const row = this.#find(ref);
    if (row === undefined) return { outcome: "unknown" };
    const current = row.clientData;
    if (this.#flaws.mergeReadEarly) await Promise.resolve();
    const merged = this.#merged(this.#flaws.mergeReadEarly ? current : row.clientData, changes);
    if ("problem" in merged) {
      if (this.#flaws.mergeInPart) row.clientData = { ...row.clientData, ...Object.fromEntries(changes.slice(0, 1)) };
      return { outcome: "refused", problem: merged.problem };
    }
    const grown = bytesOf(merged.clientData) - bytesOf(row.clientData);
    const isLarger = grown > 0 || this.#flaws.shrinkingRefused;
    if (isLarger && this.#sizes.bytes(ref.account) + grown > bytes && !this.#flaws.mergesUncounted)
      return { outcome: "full" };
    row.clientData = this.#copy(merged.clientData, readClientData);
    this.#changed(row);
    this.#use(row);
    return { outcome: "merged", session: this.#session(row) };
  }

  async beginTurn(ref: SessionRef, turn: TurnRequest): Promise<TurnStart> {
    const { turnId, leaseMs, accountBytes = Number.POSITIVE_INFINITY } = turn;
    const row = this.#find(ref);
    if (row === undefined) return { outcome: "unknown" };
    if (this.#flaws.fullTurnsLock) row.lock ??= { turnId, until: Date.now() + leaseMs };
    if (this.#sizes.bytes(ref.account) > accountBytes && !this.#flaws.turnsUnlimited) return { outcome: "full" };
    const lapsed = row.lock === undefined || (row.lock.until <= Date.now() && !this.#flaws.leaseEndless);
    if (!lapsed && !this.#flaws.lockIgnored) return { outcome: "busy" };
    if (this.#flaws.lockReadEarly) await Promise.resolve();
    row.lock = { turnId, until: Date.now() + leaseMs };
    row.clientDataAtBegin = row.clientData;
    this.#use(row);
    if (this.#flaws.updatedByTurns) this.#changed(row);
    const images = this.#flaws.imagesOfLastTurn ? row.imagesOfLastTurn : row.images;
    return {
      outcome: "begun",
      session: this.#session(row),
      images: this.#flaws.imagesDistinct ? [...new Set(images)] : [...images],
      messages: this.#history(row, turn),
    };
  }

  async renewTurn(ref: SessionRef, turn: { readonly turnId: string; readonly leaseMs: number }): Promise<boolean> {
    const row = this.#find(ref);
    if (row === undefined) return false;
    if (row.lock?.turnId !== turn.turnId && !this.#flaws.renewalTakesLock) return false;
    if (this.#flaws.renewalDead) return true;
    row.lock = { turnId: turn.turnId, until: Date.now() + turn.leaseMs };
    this.#use(row);
    return true;
  }

  async endTurn(
    ref: SessionRef,
    turn: { readonly turnId: string; readonly messages: readonly ChatMessage[]; readonly images: readonly string[] },
  ): Promise<boolean> {
    const row = this.#find(ref);
    if (row === undefined) return false;
    if (row.lock?.turnId !== turn.turnId && !this.#flaws.endUnguarded) return false;
    if (this.#flaws.endRefusedWhenLapsed && (row.lock?.until ?? 0) <= Date.now()) return false;
    if (!this.#flaws.endKeepsLock && !(this.#flaws.endOnlyAppends && turn.messages.length === 0)) row.lock = undefined;
    if (this.#flaws.endRestoresClientData) row.clientData = row.clientDataAtBegin;
    this.#use(row);
    if (turn.messages.length === 0) return true;
    this.#append(row, turn.messages);
    row.images.push(...this.#copy(turn.images));
    row.imagesOfLastTurn = turn.images;
    this.#changed(row);
    return true;
  }

  async appendLog(ref: SessionRef, log: WebhookLog): Promise<boolean> {
    const row = this.#find(ref);
    if (row === undefined || (this.#flaws.logsNeedLock && row.lock === undefined)) return false;
    row.logs.push({ sequence: row.logs.length + 1, log: this.#copy(log, readLog) });
    return true;
  }

  async messages(ref: SessionRef, page: PageSize & { readonly after?: number }): Promise<MessagePage | undefined> {
    const { after = 0 } = page;
    const all = this.#find(ref)?.messages;
    const isAfter = (sequence: number) => (this.#flaws.cursorIncluded ? sequence >= after : sequence > after);
    const rest = all?.filter(({ sequence }) => isAfter(sequence));
    const kept = rest && fitting(this.#flaws, rest, page, ({ message }) => message);
    const messages = kept?.map(({ begins: _, ...message }) => this.#copyOf(message));
    const next = this.#next(messages, rest?.length);
    return messages && (next === undefined ? { messages } : { messages, next });
  }

  async logs(ref: SessionRef, page: PageSize & { readonly before?: number }): Promise<LogPage | undefined> {
    const { limit, before } = page;
    const row = this.#find(ref);
    const everything = this.#flaws.logsShared ? [...this.#rows.values()].flatMap(({ logs }) => logs) : row?.logs;
    const newest = [...(everything ?? [])].sort((one, other) => other.sequence - one.sequence);
    if (this.#flaws.logsOldestFirst) newest.reverse();
    const { logCursorCountsFromNewest: counts } = this.#flaws;
    const rest = newest.filter(
      ({ sequence }, at) => before === undefined || (counts ? at >= before : sequence < before),
    );
    const logs = fitting(this.#flaws, rest, page, ({ log }) => log).map(({ sequence, log }) => ({
      sequence,
      log: this.#copy(log, readLog),
    }));
    const more = this.#next(logs, rest.length);
    const next = more !== undefined && counts ? (before ?? 0) + limit : more;
    return row && (next === undefined ? { logs } : { logs, next });
  }

  async delete(ref: SessionRef): Promise<boolean> {
    const row = this.#find(ref);
    if (row === undefined) return false;
    if (this.#flaws.deletionKeepsLogs) this.#leftLogs.set(ref.id, row.logs);
    if (this.#flaws.deletionKeepsBytes) this.#sizes.leftBytes += this.#sizes.bytesOf(row);
    return this.#rows.delete(ref.id);
  }

  async expire(): Promise<number> {
    const isOver = (row: Row) =>
      row.expiresAt <= Date.now() || (this.#flaws.sweepTakesUsed === true && row.messages.length > 0);
    const over = [...this.#rows].filter(([, row]) => isOver(row));
    for (const [id] of over) this.#rows.delete(id);
    return this.#flaws.sweepMiscounts ? Math.min(over.length, 1) : over.length;
  }

  #find({ id, account }: SessionRef): Row | undefined {
    const row = this.#rows.get(id);
    if (row === undefined || (row.made.account !== account && !this.#flaws.accountIgnored)) return undefined;
    return row.expiresAt > Date.now() || this.#flaws.timeEndsAtSweep ? row : undefined;
  }

  #use(row: Row): void {
    if (!this.#flaws.useIgnored) row.expiresAt = Date.now() + row.made.ttlMs;
  }

  #changed(row: Row): void {
    if (!this.#flaws.updatedAtFixed) row.updatedAt = new Date();
  }

  #session({ made: { id, account, assistantId }, clientData, createdAt, updatedAt }: Row): Session {
    const dates = { createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
    return { id, account, assistantId, clientData: this.#copy(clientData, readClientData), ...dates };
  }

  #merged(current: ClientData, changes: ClientDataChanges): ReturnType<typeof mergeClientData> {
    if (this.#flaws.mergeKeepsNulls) return { clientData: { ...current, ...Object.fromEntries(changes) } };
    const merged = mergeClientData(current, changes);
    return this.#flaws.mergeUnlimited ? { clientData: { ...current, ...Object.fromEntries(changes) } } : merged;
  }

  #append(row: Row, messages: readonly ChatMessage[]): void {
    const first = row.messages.length + 1;
    for (const [at, message] of messages.entries()) {
      const begins = this.#flaws.historyByRole ? message.role === "user" : at === 0;
      row.messages.push({ sequence: first + at, at: new Date(), message: this.#copy(message), begins });
    }
  }

  #history(row: Row, { historyLimit: limit, historyBytes = Number.POSITIVE_INFINITY }: TurnRequest): ChatMessage[] {
    const all = this.#flaws.historySortedAsText
      ? row.messages.toSorted((one, other) => (String(one.sequence) < String(other.sequence) ? -1 : 1))
      : row.messages;
    const some = this.#flaws.historyOldest ? all.slice(0, limit) : all.slice(Math.max(0, all.length - limit));
    const start = some.findIndex(({ begins }) => begins);
    const whole = this.#flaws.historyCutAnywhere ? some : start === -1 ? [] : some.slice(start);
    return newestWithin(this.#flaws, whole, historyBytes).map(({ message }) => this.#copy(message));
  }

  #next(page: readonly { readonly sequence: number }[] | undefined, rest: number | undefined): number | undefined {
    const isLast = page === undefined || rest === undefined || rest <= page.length;
    return isLast && !this.#flaws.nextAlways ? undefined : page?.at(-1)?.sequence;
  }

  #copyOf(stored: StoredMessage): StoredMessage {
    return { ...stored, message: this.#copy(stored.message) };
  }

  #copy<Value>(value: Value, read: (text: string) => Value = JSON.parse): Value {
    if (this.#flaws.referencesShared) return value;
    const text = this.#flaws.digitsLost ? JSON.stringify(value) : writeExactJson(value);
    if (this.#flaws.prototypesLost)
      return JSON.parse(text, (key, member) => (key === "__proto__" ? undefined : member));
    return read(this.#flaws.textsCleaned ? text.replaceAll(/\\u(?:0000|d[89a-f]..)/g, "\ufffd") : text);
  }
}
