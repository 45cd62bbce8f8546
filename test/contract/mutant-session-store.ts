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
  bytesOf,
  fitting,
  lastUsedFirst,
  loadSizeOf,
  MutantSessionSizes,
  newestFirst,
  newestWithin,
  type Row,
} from "./mutant-session-sizes.ts";
import type { SessionMutations } from "./session-mutations.ts";

/** A minimal store that satisfies the contract, with a switch for each mutation. */
export class MutantSessionStore implements SessionStore {
  readonly #mutations: SessionMutations;
  readonly #rows = new Map<string, Row>();
  readonly #leftLogs = new Map<string, StoredLog[]>();
  readonly #sizes: MutantSessionSizes;

  constructor(mutations: SessionMutations) {
    this.#mutations = mutations;
    this.#sizes = new MutantSessionSizes(mutations, this.#rows);
  }

  async create(made: NewSession): Promise<CreateResult> {
    if (this.#rows.has(made.id) && !this.#mutations.createOverwrites)
      throw new Error("The session id is already in use.");
    const limit = this.#sizes.exceeded(made);
    if (this.#mutations.limitReadEarly) await Promise.resolve();
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
    if (row !== undefined && this.#mutations.readingRenews) row.expiresAt = Date.now() + row.made.ttlMs;
    return row && this.#session(row);
  }

  async list(account: string, page: PageSize & { readonly before?: SessionPosition }): Promise<SessionPage> {
    const { before } = page;
    const mine = [...this.#rows.values()].filter(
      ({ made, expiresAt }) =>
        (made.account === account || this.#mutations.listShared) &&
        (expiresAt > Date.now() || this.#mutations.listKeepsExpired),
    );
    const newest = mine.map((row) => this.#session(row)).sort(this.#mutations.listByUse ? lastUsedFirst : newestFirst);
    if (this.#mutations.listOldestFirst) newest.reverse();
    const from = newest.findIndex(({ id }) => id === before?.id) + 1;
    const after =
      before && !this.#mutations.listNeedsCursor ? (each: Session) => newestFirst(before, each) < 0 : () => true;
    const rest = (this.#mutations.listNeedsCursor ? newest.slice(from) : newest).filter(after);
    const sessions = fitting(this.#mutations, rest, page, ({ clientData }) => clientData);
    const last = sessions.at(-1);
    const isLast = last === undefined || (rest.length <= sessions.length && !this.#mutations.nextAlways);
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
    if (this.#mutations.mergeReadEarly) await Promise.resolve();
    const merged = this.#merged(this.#mutations.mergeReadEarly ? current : row.clientData, changes);
    if ("problem" in merged) {
      if (this.#mutations.mergeInPart)
        row.clientData = { ...row.clientData, ...Object.fromEntries(changes.slice(0, 1)) };
      return { outcome: "refused", problem: merged.problem };
    }
    const grown = bytesOf(merged.clientData) - bytesOf(row.clientData);
    const isLarger = grown > 0 || this.#mutations.shrinkingRefused;
    if (isLarger && this.#sizes.bytes(ref.account) + grown > bytes && !this.#mutations.mergesUncounted)
      return { outcome: "full" };
    row.clientData = this.#copy(merged.clientData, readClientData);
    this.#changed(row);
    this.#use(row);
    return { outcome: "merged", session: this.#session(row) };
  }

  async beginTurn(ref: SessionRef, turn: TurnRequest): Promise<TurnStart> {
    const { turnId, leaseMs, accountBytes = Number.POSITIVE_INFINITY, loadBytes = accountBytes } = turn;
    const row = this.#find(ref);
    if (row === undefined) return { outcome: "unknown" };
    if (this.#mutations.fullTurnsLock) row.lock ??= { turnId, until: Date.now() + leaseMs };
    if (this.#sizes.bytes(ref.account) > accountBytes && !this.#mutations.turnsUnlimited) return { outcome: "full" };
    const lapsed = row.lock === undefined || (row.lock.until <= Date.now() && !this.#mutations.leaseEndless);
    if (!lapsed && !this.#mutations.lockIgnored) return { outcome: "busy" };
    if (this.#mutations.lockReadEarly) await Promise.resolve();
    const bytes = loadSizeOf(this.#history(row, turn), row.images);
    const isLarger = bytes > loadBytes && !this.#mutations.loadUnlimited;
    if (!isLarger || this.#mutations.largerTurnsLock) row.lock = { turnId, until: Date.now() + leaseMs };
    if (isLarger) return { outcome: "larger", bytes };
    row.clientDataAtBegin = row.clientData;
    this.#use(row);
    if (this.#mutations.updatedByTurns) this.#changed(row);
    const images = this.#mutations.imagesOfLastTurn ? row.imagesOfLastTurn : row.images;
    return {
      outcome: "begun",
      session: this.#session(row),
      images: this.#mutations.imagesDistinct ? [...new Set(images)] : [...images],
      messages: this.#history(row, turn),
    };
  }

  async renewTurn(ref: SessionRef, turn: { readonly turnId: string; readonly leaseMs: number }): Promise<boolean> {
    const row = this.#find(ref);
    if (row === undefined) return false;
    if (row.lock?.turnId !== turn.turnId && !this.#mutations.renewalTakesLock) return false;
    if (this.#mutations.renewalDead) return true;
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
    if (row.lock?.turnId !== turn.turnId && !this.#mutations.endUnguarded) return false;
    if (this.#mutations.endRefusedWhenLapsed && (row.lock?.until ?? 0) <= Date.now()) return false;
    if (!this.#mutations.endKeepsLock && !(this.#mutations.endOnlyAppends && turn.messages.length === 0))
      row.lock = undefined;
    if (this.#mutations.endRestoresClientData) row.clientData = row.clientDataAtBegin;
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
    if (row === undefined || (this.#mutations.logsNeedLock && row.lock === undefined)) return false;
    row.logs.push({ sequence: row.logs.length + 1, log: this.#copy(log, readLog) });
    return true;
  }

  async messages(ref: SessionRef, page: PageSize & { readonly after?: number }): Promise<MessagePage | undefined> {
    const { after = 0 } = page;
    const all = this.#find(ref)?.messages;
    const isAfter = (sequence: number) => (this.#mutations.cursorIncluded ? sequence >= after : sequence > after);
    const rest = all?.filter(({ sequence }) => isAfter(sequence));
    const kept = rest && fitting(this.#mutations, rest, page, ({ message }) => message);
    const messages = kept?.map(({ begins: _, ...message }) => this.#copyOf(message));
    const next = this.#next(messages, rest?.length);
    return messages && (next === undefined ? { messages } : { messages, next });
  }

  async logs(ref: SessionRef, page: PageSize & { readonly before?: number }): Promise<LogPage | undefined> {
    const { limit, before } = page;
    const row = this.#find(ref);
    const everything = this.#mutations.logsShared ? [...this.#rows.values()].flatMap(({ logs }) => logs) : row?.logs;
    const newest = [...(everything ?? [])].sort((one, other) => other.sequence - one.sequence);
    if (this.#mutations.logsOldestFirst) newest.reverse();
    const { logCursorCountsFromNewest: counts } = this.#mutations;
    const rest = newest.filter(
      ({ sequence }, at) => before === undefined || (counts ? at >= before : sequence < before),
    );
    const logs = fitting(this.#mutations, rest, page, ({ log }) => log).map(({ sequence, log }) => ({
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
    if (this.#mutations.deletionKeepsLogs) this.#leftLogs.set(ref.id, row.logs);
    if (this.#mutations.deletionKeepsBytes) this.#sizes.leftBytes += this.#sizes.bytesOf(row);
    return this.#rows.delete(ref.id);
  }

  async expire(): Promise<number> {
    const isOver = (row: Row) =>
      row.expiresAt <= Date.now() || (this.#mutations.sweepTakesUsed === true && row.messages.length > 0);
    const over = [...this.#rows].filter(([, row]) => isOver(row));
    for (const [id] of over) this.#rows.delete(id);
    return this.#mutations.sweepMiscounts ? Math.min(over.length, 1) : over.length;
  }

  #find({ id, account }: SessionRef): Row | undefined {
    const row = this.#rows.get(id);
    if (row === undefined || (row.made.account !== account && !this.#mutations.accountIgnored)) return undefined;
    return row.expiresAt > Date.now() || this.#mutations.timeEndsAtSweep ? row : undefined;
  }

  #use(row: Row): void {
    if (!this.#mutations.useIgnored) row.expiresAt = Date.now() + row.made.ttlMs;
  }

  #changed(row: Row): void {
    if (!this.#mutations.updatedAtFixed) row.updatedAt = new Date();
  }

  #session({ made: { id, account, assistantId }, clientData, createdAt, updatedAt }: Row): Session {
    const dates = { createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
    return { id, account, assistantId, clientData: this.#copy(clientData, readClientData), ...dates };
  }

  #merged(current: ClientData, changes: ClientDataChanges): ReturnType<typeof mergeClientData> {
    if (this.#mutations.mergeKeepsNulls) return { clientData: { ...current, ...Object.fromEntries(changes) } };
    const merged = mergeClientData(current, changes);
    return this.#mutations.mergeUnlimited ? { clientData: { ...current, ...Object.fromEntries(changes) } } : merged;
  }

  #append(row: Row, messages: readonly ChatMessage[]): void {
    const first = row.messages.length + 1;
    for (const [at, message] of messages.entries()) {
      const begins = this.#mutations.historyByRole ? message.role === "user" : at === 0;
      row.messages.push({ sequence: first + at, at: new Date(), message: this.#copy(message), begins });
    }
  }

  #history(row: Row, { historyLimit: limit, historyBytes = Number.POSITIVE_INFINITY }: TurnRequest): ChatMessage[] {
    const all = this.#mutations.historySortedAsText
      ? row.messages.toSorted((one, other) => (String(one.sequence) < String(other.sequence) ? -1 : 1))
      : row.messages;
    const some = this.#mutations.historyOldest ? all.slice(0, limit) : all.slice(Math.max(0, all.length - limit));
    const start = some.findIndex(({ begins }) => begins);
    const whole = this.#mutations.historyCutAnywhere ? some : start === -1 ? [] : some.slice(start);
    return newestWithin(this.#mutations, whole, historyBytes).map(({ message }) => this.#copy(message));
  }

  #next(page: readonly { readonly sequence: number }[] | undefined, rest: number | undefined): number | undefined {
    const isLast = page === undefined || rest === undefined || rest <= page.length;
    return isLast && !this.#mutations.nextAlways ? undefined : page?.at(-1)?.sequence;
  }

  #copyOf(stored: StoredMessage): StoredMessage {
    return { ...stored, message: this.#copy(stored.message) };
  }

  #copy<Value>(value: Value, read: (text: string) => Value = JSON.parse): Value {
    if (this.#mutations.referencesShared) return value;
    const text = this.#mutations.digitsLost ? JSON.stringify(value) : writeExactJson(value);
    if (this.#mutations.prototypesLost)
      return JSON.parse(text, (key, member) => (key === "__proto__" ? undefined : member));
    return read(this.#mutations.textsCleaned ? text.replaceAll(/\\u(?:0000|d[89a-f]..)/g, "\ufffd") : text);
  }
}
