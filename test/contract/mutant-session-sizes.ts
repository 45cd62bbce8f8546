import { type ChatMessage, writeExactJson } from "@tollgate/core/provider";
import type {
  ClientData,
  NewSession,
  PageSize,
  Session,
  SessionLimits,
  SessionPosition,
  StoredLog,
  StoredMessage,
} from "@tollgate/core/store";
import { firstFitting } from "@tollgate/core/store";
import type { SessionMutations } from "./session-mutations.ts";

/** A session as the mutant store keeps it. */
export interface Row {
  readonly made: NewSession;
  readonly createdAt: Date;
  clientData: ClientData;
  clientDataAtBegin: ClientData;
  updatedAt: Date;
  expiresAt: number;
  lock: { turnId: string; until: number } | undefined;
  messages: (StoredMessage & { readonly begins: boolean })[];
  images: string[];
  imagesOfLastTurn: readonly string[];
  logs: StoredLog[];
}

/** Counts sessions and their bytes on each call. */
export class MutantSessionSizes {
  readonly #mutations: SessionMutations;
  readonly #rows: ReadonlyMap<string, Row>;
  /** The bytes of deleted sessions that a mutation still counts. */
  leftBytes = 0;

  constructor(mutations: SessionMutations, rows: ReadonlyMap<string, Row>) {
    this.#mutations = mutations;
    this.#rows = rows;
  }

  /** Returns the limit that one more session would exceed. */
  exceeded({ account, clientData, limits = {} }: NewSession): keyof SessionLimits | undefined {
    const { sessions = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = limits;
    if (this.#ofAccount(account).length >= sessions) return "sessions";
    const sum = this.bytes(account) + bytesOf(clientData);
    return (this.#mutations.bytesAreCharacters ? sum / 2 : sum) > bytes ? "bytes" : undefined;
  }

  #ofAccount(account: string): Row[] {
    return [...this.#rows.values()].filter(
      ({ made, expiresAt }) =>
        (made.account === account || this.#mutations.limitsShared) &&
        (expiresAt > Date.now() || this.#mutations.expiredCount),
    );
  }

  /** Returns the bytes of an account. */
  bytes(account: string): number {
    return this.#ofAccount(account).reduce((sum, row) => sum + this.bytesOf(row), this.leftBytes);
  }

  /** Returns the bytes of a session. */
  bytesOf({ clientData, messages, images, logs }: Row): number {
    const counted = [clientData, messages, images, this.#mutations.logsUncounted ? [] : logs];
    return counted.reduce<number>(
      (sum, part) => sum + (part === clientData || bytesOf(part) > 2 ? bytesOf(part) : 0),
      0,
    );
  }
}

/** Returns the first entries that fit on a page. */
export function fitting<Entry>(
  mutations: SessionMutations,
  entries: readonly Entry[],
  { limit, maxBytes = Number.POSITIVE_INFINITY }: PageSize,
  part: (entry: Entry) => unknown,
): Entry[] {
  const some = entries.slice(0, limit).map((entry) => ({ entry, bytes: bytesOf(part(entry)) }));
  const fitting = firstFitting(some, { limit, ...(mutations.pagesUnlimited ? {} : { maxBytes }) });
  const empty = mutations.pageOfNothing && (some[0]?.bytes ?? 0) > maxBytes;
  return empty ? [] : fitting.map(({ entry }) => entry);
}

/** Returns the newest complete turns of messages within the limit of bytes. */
export function newestWithin(
  mutations: SessionMutations,
  messages: Row["messages"],
  maxBytes: number,
): Row["messages"] {
  const fits = (from: number) =>
    messages.slice(from).reduce((sum, { message }) => sum + bytesOf(message), 0) <= maxBytes;
  const starts = messages.flatMap(({ begins }, at) => (begins || mutations.historyBytesCutAnywhere ? [at] : []));
  const newest = mutations.historyDropsNewest ? messages.length : starts.at(-1);
  return messages.slice(starts.find(fits) ?? newest);
}

/** Returns the size of a value as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(writeExactJson(value));

/** The sort order of `list`. */
export const newestFirst = (one: SessionPosition, other: SessionPosition): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (one.id === other.id ? 0 : one.id < other.id ? 1 : -1);

/** A wrong sort order for `list`. */
export const lastUsedFirst = (one: Session, other: Session): number =>
  other.updatedAt.getTime() - one.updatedAt.getTime();

/** Returns the bytes of what a turn loads. */
export const loadSizeOf = (messages: readonly ChatMessage[], images: readonly string[]): number =>
  [...messages, ...images].reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0);
