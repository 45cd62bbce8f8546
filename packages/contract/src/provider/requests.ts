import { deepEqual, equal, ok } from "node:assert/strict";
import { ProviderError, type TransportRequest } from "@tollgate/core/provider";
import type { Cases } from "../suite.ts";
import type { ProviderContext, Way } from "./context.ts";
import { providerErrorOf } from "./told-failure.ts";
import { answering } from "./upstream-script.ts";

const ways: readonly Way[] = ["complete", "stream"];

const toolCall = {
  id: "call_a",
  type: "function" as const,
  function: { name: "look_up", arguments: '{"q":"mark-4"}' },
};

const conversation = {
  messages: [
    { role: "system" as const, content: "mark-1" },
    { role: "user" as const, content: [{ type: "text", text: "mark-2" }] },
    { role: "assistant" as const, content: "mark-3", tool_calls: [toolCall] },
    { role: "tool" as const, tool_call_id: "call_a", content: "mark-5" },
    { role: "user" as const, content: "mark-6 Zoë 🙂" },
  ],
  tools: [
    {
      type: "function" as const,
      function: {
        name: "look_up",
        description: "mark-7",
        parameters: { type: "object", properties: { q: { type: "string", description: "mark-8" } } },
      },
    },
  ],
};

/** What holds of that which reaches the upstream. */
export const requestCases: Cases<ProviderContext> = {
  "the model, all messages, tools and their results reach the upstream": async (context) => {
    for (const way of ways) {
      const asked = await askedFor(context, way, conversation);
      const marks = Array.from({ length: 8 }, (_, index) => `mark-${index + 1}`);
      for (const mark of [context.upstream.model, ...marks, "Zoë 🙂", "look_up"]) {
        ok(asked.includes(mark), `"${mark}" of the request does not reach the upstream.`);
      }
    }
  },
  "the cap on the output reaches the upstream, which the bill is bounded by": async (context) => {
    const { outputCapField } = context.provider.capabilities;
    for (const way of ways) {
      ok((await askedFor(context, way, { [outputCapField]: 4_567 })).includes("4567"), `The cap is lost, ${way}.`);
    }
  },
  "the temperature reaches the upstream": async (context) => {
    for (const way of ways) ok((await askedFor(context, way, { temperature: 0.375 })).includes("0.375"), way);
  },
  "every request goes through the call's transport, with its limit and its signal": async (context) => {
    const { sent, record } = recorder(context);
    context.play(answering());
    for (const way of ways) await context.ask(way, { transport: record });
    deepEqual(
      sent.map(({ connectMs }) => connectMs),
      [4_321, 4_321],
    );
    equal(context.received.length, 2);
    const leaving = new AbortController();
    await context.ask("complete", { transport: record, signal: leaving.signal });
    leaving.abort();
    equal(sent.at(-1)?.signal.aborted, true, "The request's signal must be that of the call.");
  },
  "the key travels in a header and never in a URL": async (context) => {
    const { sent, record } = recorder(context);
    context.play(answering());
    for (const way of ways) await context.ask(way, { transport: record });
    for (const { url } of sent)
      ok(!decodeURIComponent(url).includes(context.upstream.apiKey), "The key is in the URL.");
  },
  "what the transport could not do keeps its kind": async ({ ask }) => {
    for (const kind of ["timeout", "unreachable"] as const) {
      const transport = () => Promise.reject(new ProviderError(kind, "The transport gave up. Try again."));
      for (const way of ways) equal((await providerErrorOf(ask(way, { transport }))).failure, kind, way);
    }
  },
};

/** Asks, and gives what reached the upstream: the URL, which names the model for some, and the body. */
async function askedFor({ play, ask, received }: ProviderContext, way: Way, request: object): Promise<string> {
  play(answering());
  await ask(way, { request });
  const last = received.at(-1);
  return `${decodeURIComponent(last?.url ?? "")} ${last?.body}`;
}

function recorder({ transport }: ProviderContext) {
  const sent: TransportRequest[] = [];
  const record = (request: TransportRequest) => {
    sent.push(request);
    return transport(request);
  };
  return { sent, record };
}
