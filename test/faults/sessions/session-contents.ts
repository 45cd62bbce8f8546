import type { ChatMessage } from "@tollgate/core/provider";
import type { SessionRef, SessionStore } from "@tollgate/core/store";

/** The contents of a session. */
export interface SessionContents {
  readonly messages: readonly ChatMessage[];
  readonly images: readonly string[];
  /** The paths of the logged webhooks. */
  readonly loggedPaths: ReadonlySet<string>;
}

/** Reads an unlocked session. Its images are a parameter, because only the next turn receives them. */
export async function readContents(
  store: SessionStore,
  ref: SessionRef,
  images: readonly string[],
): Promise<SessionContents> {
  return { messages: await readMessages(store, ref), images, loggedPaths: new Set(await readLoggedPaths(store, ref)) };
}

async function readMessages(store: SessionStore, ref: SessionRef): Promise<ChatMessage[]> {
  const messages: ChatMessage[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await store.messages(ref, { limit: 100, after });
    if (page === undefined) throw new Error(`The session ${ref.id} does not exist.`);
    messages.push(...page.messages.map(({ message }) => message));
    after = page.next;
  }
  return messages;
}

async function readLoggedPaths(store: SessionStore, ref: SessionRef): Promise<string[]> {
  const paths: string[] = [];
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
    const page = await store.logs(ref, { limit: 100, before });
    if (page === undefined) throw new Error(`The session ${ref.id} does not exist.`);
    paths.push(...page.logs.flatMap(({ log }) => (log.request === null ? [] : [new URL(log.request.url).pathname])));
    before = page.next;
  }
  return paths;
}
