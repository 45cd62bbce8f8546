import { writeExactJson } from "@tollgate/core/provider";
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
import type { SessionFlaws } from "./session-flaws.ts";

/** A session as the breakable store keeps it. */
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

/** Counts sessions and their bytes, anew on each call. */
export class BreakableSessionSizes {
  readonly #flaws: SessionFlaws;
  readonly #rows: ReadonlyMap<string, Row>;
  /** Of sessions that are gone. */
  leftBytes = 0;

  constructor(flaws: SessionFlaws, rows: ReadonlyMap<string, Row>) {
    this.#flaws = flaws;
    this.#rows = rows;
  }

  /** The limit that one more session would exceed. */
  exceeded({ account, clientData, limits = {} }: NewSession): keyof SessionLimits | undefined {
    const { sessions = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = limits;
    if (this.#ofAccount(account).length >= sessions) return "sessions";
    const sum = this.bytes(account) + bytesOf(clientData);
    return (this.#flaws.bytesAreCharacters ? sum / 2 : sum) > bytes ? "bytes" : undefined;
  }

  #ofAccount(account: string): Row[] {
    return [...this.#rows.values()].filter(
      ({ made, expiresAt }) =>
        (made.account === account || this.#flaws.limitsShared) && (expiresAt > Date.now() || this.#flaws.expiredCount),
    );
  }

  /** What the account has. */
  bytes(account: string): number {
    return this.#ofAccount(account).reduce((sum, row) => sum + this.bytesOf(row), this.leftBytes);
  }

  /** What the session has. */
  bytesOf({ clientData, messages, images, logs }: Row): number {
    const counted = [clientData, messages, images, this.#flaws.logsUncounted ? [] : logs];
    return counted.reduce<number>(
      (sum, part) => sum + (part === clientData || bytesOf(part) > 2 ? bytesOf(part) : 0),
      0,
    );
  }
}

/** The first entries that fit a page. */
export function fitting<Entry>(
  flaws: SessionFlaws,
  entries: readonly Entry[],
  { limit, maxBytes = Number.POSITIVE_INFINITY }: PageSize,
  part: (entry: Entry) => unknown,
): Entry[] {
  const some = entries.slice(0, limit).map((entry) => ({ entry, bytes: bytesOf(part(entry)) }));
  const fitting = firstFitting(some, { limit, ...(flaws.pagesUnlimited ? {} : { maxBytes }) });
  const empty = flaws.pageOfNothing && (some[0]?.bytes ?? 0) > maxBytes;
  return empty ? [] : fitting.map(({ entry }) => entry);
}

/** The newest whole turns of messages within so many bytes. */
export function newestWithin(flaws: SessionFlaws, messages: Row["messages"], maxBytes: number): Row["messages"] {
  const fits = (from: number) =>
    messages.slice(from).reduce((sum, { message }) => sum + bytesOf(message), 0) <= maxBytes;
  const starts = messages.flatMap(({ begins }, at) => (begins || flaws.historyBytesCutAnywhere ? [at] : []));
  const newest = flaws.historyDropsNewest ? messages.length : starts.at(-1);
  return messages.slice(starts.find(fits) ?? newest);
}

/** The size of a value as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(writeExactJson(value));

/** The order of a list. */
export const newestFirst = (one: SessionPosition, other: SessionPosition): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (one.id === other.id ? 0 : one.id < other.id ? 1 : -1);

/** An order that is not that of a list. */
export const lastUsedFirst = (one: Session, other: Session): number =>
  other.updatedAt.getTime() - one.updatedAt.getTime();
