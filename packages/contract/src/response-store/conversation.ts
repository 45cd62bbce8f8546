import { deepEqual, equal } from "node:assert/strict";
import type { NewResponse, ResponseItem } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { found, item, longest, type ResponseContext } from "./context.ts";

/** The cases of `conversation`. */
export const conversationCases: Cases<ResponseContext> = {
  "the items of a chain of three are in order from the oldest": async (context) => {
    const chain = await saveChain(context, 3);
    const all = chain.flatMap(itemsOf);
    deepEqual(texts(all), ["in 0a", "in 0b", "out 0a", "out 0b", "in 1a", "in 1b", "out 1a", "out 1b", ...thirdTexts]);
    for (const [at, response] of chain.entries()) {
      const expected = chain.slice(0, at + 1).flatMap(itemsOf);
      deepEqual(found(await context.peer.conversation(response, longest)), expected);
    }
  },
  "two responses can continue the same one": async ({ save, store }) => {
    const first = await save();
    const branches = [await save({ previousId: first.id }), await save({ previousId: first.id })];
    for (const branch of branches) {
      deepEqual(found(await store.conversation(branch, longest)), [...itemsOf(first), ...itemsOf(branch)]);
    }
  },
  "the conversation of an unknown response is unknown": async ({ account, store }) => {
    for (const id of ["resp_unknown", "", "\0"]) {
      deepEqual(await store.conversation({ id, account }, longest), { outcome: "unknown" });
    }
  },
  "a response that continues an unknown one has no conversation": async ({ save, store }) => {
    const saved = await save({ previousId: "resp_unknown" });
    deepEqual(await store.conversation(saved, longest), { outcome: "unknown" });
  },
  "a response that continues itself has no conversation": async ({ save, store }) => {
    const saved = await save({ id: `resp_${crypto.randomUUID()}`, input: [], output: [] });
    const own = await save({ id: `${saved.id}-own`, previousId: `${saved.id}-own`, input: [], output: [] });
    deepEqual(await store.conversation(own, longest), { outcome: "unknown" });
  },
  "a deleted ancestor makes a conversation unknown": async (context) => {
    for (const deleted of [0, 1]) {
      const chain = await saveChain(context, 3);
      const [ancestor, last] = [chain[deleted], chain[2]];
      if (ancestor === undefined || last === undefined) throw new Error("The chain must have three responses.");
      equal(await context.store.delete(ancestor), true);
      deepEqual(await context.store.conversation(last, longest), { outcome: "unknown" });
      equal((await context.store.find(last))?.response, last.response);
    }
  },
  "a conversation of more than `maxBytes` is too long": async (context) => {
    const { store } = context;
    const chain = await saveChain(context, 3, "é".repeat(1_000));
    for (const [at, response] of chain.entries()) {
      const maxBytes = sizeOf(chain.slice(0, at + 1));
      equal((await store.conversation(response, { maxBytes })).outcome, "found");
      deepEqual(await store.conversation(response, { maxBytes: maxBytes - 1 }), { outcome: "too_long" });
    }
  },
  "of a conversation of more than `loadBytes` only the size is returned": async (context) => {
    const { store } = context;
    const chain = await saveChain(context, 3, "é".repeat(1_000));
    const [last] = chain.slice(-1);
    if (last === undefined) throw new Error("The chain must have responses.");
    const bytes = sizeOf(chain);
    equal((await store.conversation(last, { ...longest, loadBytes: bytes })).outcome, "found");
    deepEqual(await store.conversation(last, { ...longest, loadBytes: bytes - 1 }), { outcome: "larger", bytes });
    deepEqual(await store.conversation(last, { maxBytes: bytes - 1, loadBytes: 1 }), { outcome: "too_long" });
    await store.delete({ ...last, id: chain[0]?.id ?? "" });
    deepEqual(await store.conversation(last, { ...longest, loadBytes: 1 }), { outcome: "unknown" });
  },
  "the response itself does not count towards `maxBytes`": async ({ save, store }) => {
    const saved = await save({ response: `"${"x".repeat(10_000)}"` });
    equal((await store.conversation(saved, { maxBytes: 1_000 })).outcome, "found");
  },
  "a chain of 200 responses is read in order": async (context) => {
    const chain = await saveChain(context, 200);
    const [last] = chain.slice(-1);
    if (last === undefined) throw new Error("The chain must have responses.");
    deepEqual(found(await context.store.conversation(last, longest)), chain.flatMap(itemsOf));
  },
};

const thirdTexts = ["in 2a", "in 2b", "out 2a", "out 2b"];

const itemsOf = ({ input, output }: NewResponse): ResponseItem[] => [...input, ...output];

const texts = (items: readonly ResponseItem[]): string[] => items.map(({ json }) => JSON.parse(json).text);

const sizeOf = (responses: readonly NewResponse[]): number =>
  responses.flatMap(itemsOf).reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);

/** Saves responses of which each continues the one before. */
async function saveChain({ save }: ResponseContext, length: number, padding = ""): Promise<NewResponse[]> {
  const chain: NewResponse[] = [];
  for (let at = 0; at < length; at++) {
    const previous = chain.at(-1);
    const items = (kind: string) => ["a", "b"].map((part) => item(`${kind} ${at}${part}${padding}`));
    const given = { input: items("in"), output: items("out") };
    chain.push(await save(previous === undefined ? given : { ...given, previousId: previous.id }));
  }
  return chain;
}
