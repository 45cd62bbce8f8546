import { compareBytes, encodeUtf8, nextOf } from "@tollgate/core/internal";
import { writeLosslessJson } from "@tollgate/core/provider";
import {
  type ClientDataChanges,
  type CreateResult,
  firstFitting,
  type LogPage,
  type MergeResult,
  type MessagePage,
  type NewSession,
  type Session,
  type SessionAdmin,
  type SessionLimits,
  type SessionOverview,
  type SessionPage,
  type SessionRef,
  type SessionStore,
  type TurnRequest,
  type TurnStart,
  type WebhookLog,
} from "@tollgate/core/store";
import { type ListOrder, mergePages } from "./merged-pages.ts";
import type { Shards } from "./shards.ts";

/** The SessionStore and SessionAdmin over shards. A session is in the shard of its account. */
export class ShardedSessions implements SessionStore, SessionAdmin {
  readonly #shards: Shards;

  constructor(shards: Shards) {
    this.#shards = shards;
  }

  create(session: NewSession): Promise<CreateResult> {
    return this.#shards.change(session.account, ({ sessions }) => sessions.create(session), isUnchanged);
  }

  find(ref: SessionRef): Promise<Session | undefined> {
    return this.#shards.read(ref.account, ({ sessions }) => sessions.find(ref));
  }

  list(account: string, page: Parameters<SessionStore["list"]>[1]): Promise<SessionPage> {
    return this.#shards.read(account, ({ sessions }) => sessions.list(account, page));
  }

  merge(ref: SessionRef, changes: ClientDataChanges, limits?: Pick<SessionLimits, "bytes">): Promise<MergeResult> {
    return this.#shards.changeKnown(ref.account, ({ sessions }) => sessions.merge(ref, changes, limits), isUnchanged);
  }

  beginTurn(ref: SessionRef, turn: TurnRequest): Promise<TurnStart> {
    return this.#shards.changeKnown(ref.account, ({ sessions }) => sessions.beginTurn(ref, turn), isUnchanged);
  }

  renewTurn(ref: SessionRef, turn: Parameters<SessionStore["renewTurn"]>[1]): Promise<boolean> {
    return this.#shards.changeKnown(ref.account, ({ sessions }) => sessions.renewTurn(ref, turn), isFalse);
  }

  endTurn(ref: SessionRef, turn: Parameters<SessionStore["endTurn"]>[1]): Promise<boolean> {
    return this.#shards.changeKnown(ref.account, ({ sessions }) => sessions.endTurn(ref, turn), isFalse);
  }

  appendLog(ref: SessionRef, log: WebhookLog): Promise<boolean> {
    return this.#shards.changeKnown(ref.account, ({ sessions }) => sessions.appendLog(ref, log), isFalse);
  }

  messages(ref: SessionRef, page: Parameters<SessionStore["messages"]>[1]): Promise<MessagePage | undefined> {
    return this.#shards.read(ref.account, ({ sessions }) => sessions.messages(ref, page));
  }

  logs(ref: SessionRef, page: Parameters<SessionStore["logs"]>[1]): Promise<LogPage | undefined> {
    return this.#shards.read(ref.account, ({ sessions }) => sessions.logs(ref, page));
  }

  delete(ref: SessionRef): Promise<boolean> {
    return this.#shards.changeKnown(ref.account, ({ sessions }) => sessions.delete(ref), isFalse);
  }

  expire(): Promise<number> {
    return this.#shards.sweep(({ sessions }) => sessions.expire());
  }

  async listSessions(query: Parameters<SessionAdmin["listSessions"]>[0]): Promise<SessionPage> {
    const { account } = query;
    if (account !== undefined) return this.#shards.read(account, ({ sessions }) => sessions.listSessions(query));
    const pages = await this.#shards.onAll(async ({ name, sessions }) => {
      const { sessions: items, next } = await sessions.listSessions(query);
      return { shard: name, items, hasMore: next !== undefined };
    });
    const merged = await mergePages(this.#shards.directory, pages, newestFirst, query.limit);
    const fitting = firstFitting(merged.items.map(sized), query).map(({ session }) => session);
    const found = merged.items.length + Number(merged.hasMore);
    return { sessions: fitting, ...nextOf(fitting, found, ({ createdAt, id }) => ({ createdAt, id })) };
  }

  /** The account of the id is not known, so each shard is asked. */
  async findSession(id: string): Promise<SessionOverview | undefined> {
    const found = await this.#shards.onAll(({ sessions }) => sessions.findSession(id));
    return found.find((session) => session !== undefined);
  }

  forget(account: string): Promise<number> {
    return this.#shards.read(account, ({ sessions }) => sessions.forget(account));
  }
}

const isFalse = (result: boolean): boolean => !result;

const isUnchanged = ({ outcome }: { readonly outcome: string }): boolean =>
  outcome !== "created" && outcome !== "merged" && outcome !== "begun";

const sized = (session: Session) => ({
  session,
  bytes: encodeUtf8(writeLosslessJson(session.clientData)).length,
});

const newestFirst: ListOrder<Session> = {
  compare: (one, other) => other.createdAt.getTime() - one.createdAt.getTime() || compareBytes(other.id, one.id),
  accountOf: ({ account }) => account,
};
