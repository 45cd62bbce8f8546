import type { Session, SessionRef, SessionStore, StoredLog, StoredMessage } from "@tollgate/core";
import { mergeClientData } from "../../packages/core/src/assistant/client-data.ts";

interface Kept {
  session: Session;
  readonly messages: StoredMessage[];
  readonly logs: StoredLog[];
}

/** Stands in until the memory store is there. */
export function memorySessionStore(): SessionStore {
  const all = new Map<string, Kept>();
  const find = ({ id, account }: SessionRef) => {
    const kept = all.get(id);
    return kept?.session.account === account ? kept : undefined;
  };
  return {
    create({ id, account, assistantId, clientData }) {
      const now = new Date();
      const session = { id, account, assistantId, clientData, createdAt: now, updatedAt: now };
      all.set(id, { session, messages: [], logs: [] });
      return session;
    },
    find: (ref) => find(ref)?.session,
    merge(ref, changes) {
      const kept = find(ref);
      if (kept === undefined) return { outcome: "unknown" };
      const merged = mergeClientData(kept.session.clientData, changes);
      if ("problem" in merged) return { outcome: "refused", problem: merged.problem };
      kept.session = { ...kept.session, clientData: merged.clientData, updatedAt: new Date() };
      return { outcome: "merged", session: kept.session };
    },
    beginTurn(ref) {
      const kept = find(ref);
      if (kept === undefined) return { outcome: "unknown" };
      return { outcome: "begun", session: kept.session, images: [], messages: [] };
    },
    renewTurn: () => true,
    endTurn(ref, { messages }) {
      const kept = find(ref);
      for (const message of messages) {
        kept?.messages.push({ sequence: kept.messages.length + 1, at: new Date(), message });
      }
      return kept !== undefined;
    },
    appendLog(ref, log) {
      const kept = find(ref);
      kept?.logs.push({ sequence: kept.logs.length + 1, log });
      return kept !== undefined;
    },
    messages(ref, { limit, after = 0 }) {
      const kept = find(ref);
      if (kept === undefined) return undefined;
      const rest = kept.messages.filter(({ sequence }) => sequence > after);
      const messages = rest.slice(0, limit);
      const next = messages.at(-1)?.sequence;
      return rest.length > limit && next !== undefined ? { messages, next } : { messages };
    },
    logs(ref, { limit, before = Number.POSITIVE_INFINITY }) {
      const kept = find(ref);
      if (kept === undefined) return undefined;
      const rest = kept.logs.filter(({ sequence }) => sequence < before).reverse();
      const logs = rest.slice(0, limit);
      const next = logs.at(-1)?.sequence;
      return rest.length > limit && next !== undefined ? { logs, next } : { logs };
    },
    delete: (ref) => find(ref) !== undefined && all.delete(ref.id),
    expire: () => 0,
  };
}
