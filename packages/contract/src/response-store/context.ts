import { equal } from "node:assert/strict";
import type {
  NewResponse,
  ResponseConversation,
  ResponseItem,
  ResponseRef,
  ResponseStore,
  SaveResult,
} from "@tollgate/core/store";
import type { OpenedWithDefaults } from "../suite.ts";

/** The context of a case: the store, a new account, and shortcuts for the methods. */
export interface ResponseContext extends OpenedWithDefaults<ResponseStore> {
  readonly account: string;
  /** The responses that the case has saved or tried to save. */
  readonly given: readonly ResponseRef[];
  /** Saves a response of the account, which must succeed. */
  save(overrides?: Partial<NewResponse>): Promise<NewResponse>;
  /** Does the same and returns the result, which can be a refusal. */
  trySave(overrides?: Partial<NewResponse>, client?: ResponseStore): Promise<SaveResult>;
  /** Repeats the check until it returns true. Fails after some seconds. */
  until(check: () => Promise<boolean>): Promise<void>;
}

/** Creates the context of a case with a new account. */
export function responseContext(opened: OpenedWithDefaults<ResponseStore>): ResponseContext {
  const account = `account-${crypto.randomUUID()}`;
  const given: ResponseRef[] = [];
  const attempt = async (response: NewResponse, client = opened.store) => {
    given.push(response);
    return client.save(response);
  };
  return {
    ...opened,
    account,
    given,
    trySave: (overrides, client) => attempt(newResponse(account, overrides), client),
    save: async (overrides) => {
      const response = newResponse(account, overrides);
      equal((await attempt(response)).outcome, "saved");
      return response;
    },
    until: (check) => until(opened, check),
  };
}

/** A response to save, by default with one input item, one output item, and a lifetime of one hour. */
export function newResponse(account: string, overrides: Partial<NewResponse> = {}): NewResponse {
  const id = overrides.id ?? newId("resp");
  return {
    id,
    account,
    response: JSON.stringify({ id, object: "response" }),
    input: [item("asked")],
    output: [item("answered")],
    ttlMs: 3_600_000,
    maxAccountBytes: 1_000_000_000,
    ...overrides,
  };
}

/** A new id with a prefix. */
export const newId = (prefix: string): string => `${prefix}_${crypto.randomUUID()}`;

/** An item with a text. */
export function item(text: string, id: string = newId("msg")): ResponseItem {
  return { id, json: JSON.stringify({ id, text }) };
}

/** The bytes that count towards the limit of an account. */
export function bytesOf({ response, input, output }: NewResponse): number {
  const texts = [response, ...[...input, ...output].map(({ json }) => json)];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** Returns the items of a conversation. Throws when it was not found. */
export function found(conversation: ResponseConversation): readonly ResponseItem[] {
  if (conversation.outcome === "found") return conversation.items;
  throw new Error(`The conversation must be found, but the outcome was ${conversation.outcome}.`);
}

/** A limit that no conversation of the suite exceeds. */
export const longest = { maxBytes: 100_000_000 } as const;

/** Returns the items of an account with these ids. Throws when they are too long. */
export async function itemsOf(
  store: ResponseStore,
  account: string,
  ids: readonly string[],
): Promise<readonly ResponseItem[]> {
  const result = await store.items(account, ids, longest);
  if (result.outcome === "found") return result.items;
  throw new Error("The items must be found, but they are too long.");
}

/** Deletes the responses that the case has saved. */
export async function deleteResponses({ store, given }: ResponseContext): Promise<void> {
  await Promise.allSettled(given.map(async (ref) => store.delete(ref)));
}

async function until({ wait }: OpenedWithDefaults<ResponseStore>, check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 250; tries++) {
    if (await check()) return;
    await wait(20);
  }
  throw new Error("The expected state was not reached within the time limit.");
}
