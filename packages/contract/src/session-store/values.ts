import { deepEqual, equal } from "node:assert/strict";
import { type ChatMessage, type Json, LosslessNumber } from "@tollgate/core/provider";
import type { ClientData } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { logOf, type SessionContext, said } from "./context.ts";

const unusualTexts = [
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00\ud800",
  "\u2028\u0007\u001b\r\n",
  "'; drop table sessions; --",
  '"\\u0000"',
  "$& $1 %s \\",
  "日本 🙂 e\u0301",
  "12345678901234567890",
  "",
];

/**
 * Values whose numbers lose digits in JSON.parse. A store preserves them with `writeLosslessJson` and `readClientData`.
 */
const exactValues: ClientData = {
  id: new LosslessNumber("1234567890123456789"),
  next: [new LosslessNumber("1234567890123456790"), { price: new LosslessNumber("19.90"), plain: 19.9 }],
  fine: new LosslessNumber("0.12345678901234567890123456789"),
  "1234567890123456789": "1234567890123456789",
};

const unusualValues: Readonly<Record<string, Json>> = {
  texts: unusualTexts,
  keys: Object.fromEntries([...unusualTexts, "constructor", "toString", "0"].map((key) => [key, key])),
  numbers: [0, -1.5, 0.1, 1e-7, 1e21, 1.7976931348623157e308, Number.MAX_SAFE_INTEGER],
  empty: [{}, [], "", null, false],
  deep: nested(7),
};

/** The cases of values: they are stored unchanged, and the store keeps no references to them. */
export const valueCases: Cases<SessionContext> = {
  "client data is stored unchanged, by create and by merge": async ({ create, peer, store }) => {
    const session = await create({ clientData: unusualValues });
    deepEqual(session.clientData, unusualValues);
    deepEqual((await peer.find(session))?.clientData, unusualValues);
    const other = await create();
    await store.merge(other, Object.entries(unusualValues));
    deepEqual((await peer.find(other))?.clientData, unusualValues);
  },
  "numbers keep all their digits, in create, merge and logs": async ({ begun, create, peer, store }) => {
    const session = await create({ clientData: exactValues });
    deepEqual(session.clientData, exactValues);
    deepEqual((await peer.find(session))?.clientData, exactValues);
    const other = await create({ clientData: { id: new LosslessNumber("1234567890123456788") } });
    const merged = await store.merge(other, Object.entries(exactValues));
    deepEqual(merged.outcome === "merged" && merged.session.clientData, exactValues);
    deepEqual((await begun(other)).session.clientData, exactValues);
    const value = Object.entries(exactValues).map(([, each]) => each);
    const log = logOf(session, "exact", { variables: [{ name: "a", source: "argument", value }] });
    await store.appendLog(session, log);
    deepEqual((await peer.logs(session, { limit: 1 }))?.logs[0]?.log, log);
  },
  "an own __proto__ within a value is stored and does not pollute prototypes": async ({ create, peer, store }) => {
    const value: Json = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    const session = await create({ clientData: { created: value } });
    await store.merge(session, [["merged", value]]);
    const found = (await peer.find(session))?.clientData ?? {};
    for (const name of ["created", "merged"]) equal(JSON.stringify(found[name]), JSON.stringify(value));
    equal(Reflect.get({}, "polluted"), undefined);
  },
  "keys that differ in case, normalization form or spaces are different": async ({ create, peer }) => {
    const clientData = { Key: 1, key: 2, "key ": 3, "k\u00e9y": 4, "ke\u0301y": 5, toString: 6, "10": 7, "9": 8 };
    const session = await create({ clientData });
    deepEqual((await peer.find(session))?.clientData, clientData);
  },
  "64 KiB of client data fit": async ({ create, peer, store }) => {
    // The braces, the key, its quotes, the colon and the quotes of the value take 8 bytes.
    const full = { a: `é${"x".repeat(65_536 - 10)}` };
    const session = await create({ clientData: full });
    deepEqual((await peer.find(session))?.clientData, full);
    equal((await store.merge(session, [["a", `${full.a}x`]])).outcome, "refused");
    equal((await store.merge(session, [["a", full.a]])).outcome, "merged");
  },
  "messages are stored with every member": async ({ begun, create, store, turn }) => {
    const session = await create();
    await turn(session, everyMessage);
    deepEqual((await begun(session)).messages, everyMessage);
    const page = await store.messages(session, { limit: 10 });
    deepEqual(
      page?.messages.map(({ message }) => message),
      everyMessage,
    );
  },
  "texts of messages and images are stored unchanged": async ({ begun, create, turn }) => {
    const session = await create();
    await turn(session, unusualTexts.map(said), unusualTexts);
    const { messages, images } = await begun(session);
    deepEqual(
      messages.map(({ content }) => content),
      unusualTexts,
    );
    deepEqual(images, unusualTexts);
  },
  "unusual logs are stored unchanged": async ({ create, peer, store }) => {
    const session = await create();
    const response = { status: 200, content_type: unusualTexts.join(""), bytes: 65_536, truncated: true };
    const log = logOf(session, "unusual", {
      response: { ...response, body: `${unusualTexts.join("")}${"x".repeat(65_000)}` },
      variables: Object.entries(unusualValues).map(([name, value]) => ({ name, source: "argument", value })),
      merged_keys: unusualTexts,
      warnings: unusualTexts,
    });
    await store.appendLog(session, log);
    deepEqual((await peer.logs(session, { limit: 1 }))?.logs[0]?.log, log);
  },
  "changing an argument afterwards has no effect on the store": async ({ begun, create, store, turn }) => {
    const clientData = { list: [1] };
    const session = await create({ clientData });
    const [merged, message, images] = [[2], said("said"), ["https://images.example/1"]];
    await store.merge(session, [["merged", merged]]);
    await turn(session, [message], images);
    const log = { ...logOf(session, "a"), warnings: ["kept"] };
    await store.appendLog(session, log);
    clientData.list.push(9);
    merged.push(9);
    message.content = "changed";
    images.push("added");
    log.warnings.push("added");
    const start = await begun(session);
    deepEqual(start.session.clientData, { list: [1], merged: [2] });
    deepEqual([start.messages, start.images], [[said("said")], ["https://images.example/1"]]);
    deepEqual((await store.logs(session, { limit: 1 }))?.logs[0]?.log.warnings, ["kept"]);
  },
  "changing a result has no effect on the store": async ({ create, store, turn }) => {
    const session = await create({ clientData: { list: [1] } });
    await turn(session, [said("said")]);
    const found = await store.find(session);
    const before = structuredClone(found);
    for (const list of [session.clientData["list"], found?.clientData["list"]]) if (Array.isArray(list)) list.push(9);
    found?.updatedAt.setTime(0);
    for (const { message } of (await store.messages(session, { limit: 1 }))?.messages ?? [])
      message.content = "changed";
    deepEqual(await store.find(session), before);
    deepEqual((await store.messages(session, { limit: 1 }))?.messages[0]?.message, said("said"));
  },
};

const everyMessage: readonly ChatMessage[] = [
  { role: "system", content: "be kind" },
  {
    role: "user",
    name: "ann",
    content: [
      { type: "text", text: "look" },
      { type: "image_url", image_url: { url: "https://images.example/1", detail: "low" } },
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
    ],
  },
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "call_1", type: "function", function: { name: "find", arguments: '{"order":"12345678901234567890"}' } },
      { id: "call_2", type: "function", function: { name: "find", arguments: "not json" }, index: 1 },
    ],
    reasoning_content: "because",
  },
  { role: "tool", tool_call_id: "call_1", content: '{"ok":true}' },
  { role: "tool", tool_call_id: "call_2", content: "" },
  { role: "assistant", content: "done", refusal: null, annotations: [{ a: [1, { b: null }] }] },
];

function nested(levels: number): ClientData {
  return levels === 0 ? {} : { down: [nested(levels - 1)] };
}
