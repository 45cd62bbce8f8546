import { deepEqual, equal } from "node:assert/strict";
import type { ChatMessage } from "@tollgate/core/provider";
import type { Cases } from "../suite.ts";
import { type SessionContext, said } from "./context.ts";

/** The cases of the messages and images that `beginTurn` returns. */
export const historyCases: Cases<SessionContext> = {
  "messages are in order from the oldest": async ({ begun, create, turn }) => {
    const session = await create();
    // More than ten, because "10" sorts before "9" when positions are compared as text.
    const turns = Array.from({ length: 12 }, (_, at) => plainTurn(`turn ${at}`));
    for (const messages of turns) await turn(session, messages);
    deepEqual((await begun(session)).messages, turns.flat());
  },
  "the history has the newest messages when there are more than the limit": async ({ begun, create, turn }) => {
    const session = await create();
    for (let at = 0; at < 6; at++) await turn(session, plainTurn(`turn ${at}`));
    const { messages } = await begun(session, { historyLimit: 4 });
    deepEqual(messages, [...plainTurn("turn 4"), ...plainTurn("turn 5")]);
  },
  "a history that fits the limit exactly is complete": async ({ begun, create, turn }) => {
    const session = await create();
    for (const content of ["a", "b"]) await turn(session, toolTurn(content));
    const { messages } = await begun(session, { historyLimit: 8 });
    deepEqual(messages, [...toolTurn("a"), ...toolTurn("b")]);
  },
  "a history starts with the first message of a turn": async ({ begun, create, store, turn }) => {
    const session = await create();
    for (const content of ["a", "b", "c"]) await turn(session, toolTurn(content));
    for (const [historyLimit, contents] of [
      [11, ["b", "c"]],
      [9, ["b", "c"]],
      [7, ["c"]],
      [4, ["c"]],
      [3, []],
    ] as const) {
      const { turnId, messages } = await begun(session, { historyLimit });
      deepEqual(messages, contents.flatMap(toolTurn), `a history of at most ${historyLimit}`);
      await store.endTurn(session, { turnId, messages: [], images: [] });
    }
  },
  "a user message in the middle of a turn does not start a turn": async ({ begun, create, turn }) => {
    const session = await create();
    await turn(session, plainTurn("first"));
    await turn(session, [...plainTurn("second"), ...plainTurn("still second")]);
    deepEqual((await begun(session, { historyLimit: 3 })).messages, []);
  },
  "images are in order, including those beyond the limit of messages": async ({ begun, create, turn }) => {
    const session = await create();
    const images = Array.from({ length: 12 }, (_, at) => `https://images.example/${at}`);
    await turn(session, plainTurn("a"), images.slice(0, 1));
    await turn(session, plainTurn("b"));
    await turn(session, plainTurn("c"), images.slice(1));
    const start = await begun(session, { historyLimit: 2 });
    deepEqual(start.images, images);
    equal(start.messages.length, 2);
  },
  "a repeated image is stored twice": async ({ begun, create, turn }) => {
    const session = await create();
    const image = "https://images.example/1";
    await turn(session, plainTurn("a"), [image, image]);
    await turn(session, plainTurn("b"), [image]);
    deepEqual((await begun(session)).images, [image, image, image]);
  },
  "100 messages of one turn keep their order": async ({ begun, create, turn }) => {
    const session = await create();
    const messages = Array.from({ length: 100 }, (_, at) => said(`message ${at}`));
    await turn(session, messages);
    deepEqual((await begun(session)).messages, messages);
  },
};

function plainTurn(content: string): ChatMessage[] {
  return [said(content), { role: "assistant", content: `answer to ${content}` }];
}

function toolTurn(content: string): ChatMessage[] {
  const call = { id: `call_${content}`, type: "function", function: { name: "find", arguments: "{}" } } as const;
  return [
    said(content),
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: call.id, content: '{"ok":true}' },
    { role: "assistant", content: `answer to ${content}` },
  ];
}
