import { deepEqual, equal, ok } from "node:assert/strict";
import { ProviderError, type TransportRequest } from "@tollgate/core/provider";
import type { Cases } from "../suite.ts";
import type { ProviderContext, Way } from "./context.ts";
import { providerErrorOf } from "./rejections.ts";
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

/** The cases of the requests that reach the upstream. */
export const requestCases: Cases<ProviderContext> = {
  "the model, all messages, tools and their results reach the upstream": async (context) => {
    for (const way of ways) {
      const sent = await sentFor(context, way, conversation);
      const marks = Array.from({ length: 8 }, (_, index) => `mark-${index + 1}`);
      for (const mark of [context.upstream.model, ...marks, "Zoë 🙂", "look_up"]) {
        ok(sent.includes(mark), `"${mark}" of the request does not reach the upstream.`);
      }
    }
  },
  "the output cap reaches the upstream": async (context) => {
    const { outputCapField } = context.provider.capabilities;
    for (const way of ways) {
      ok((await sentFor(context, way, { [outputCapField]: 4_567 })).includes("4567"), `The cap is missing, ${way}.`);
    }
  },
  "the temperature reaches the upstream": async (context) => {
    for (const way of ways) ok((await sentFor(context, way, { temperature: 0.375 })).includes("0.375"), way);
  },
  "every request uses the call's transport, connect timeout and signal": async (context) => {
    const { sent, record } = recorder(context);
    context.play(answering());
    for (const way of ways) await context.ask(way, { transport: record });
    deepEqual(
      sent.map(({ connectMs }) => connectMs),
      [4_321, 4_321],
    );
    equal(context.received.length, 2);
    const controller = new AbortController();
    await context.ask("complete", { transport: record, signal: controller.signal });
    controller.abort();
    equal(sent.at(-1)?.signal.aborted, true, "The request must have the signal of the call.");
  },
  "the key is sent in a header and never in a URL": async (context) => {
    const { sent, record } = recorder(context);
    context.play(answering());
    for (const way of ways) await context.ask(way, { transport: record });
    for (const { url } of sent)
      ok(!decodeURIComponent(url).includes(context.upstream.apiKey), "The key is in the URL.");
  },
  "an error of the transport keeps its kind": async ({ ask }) => {
    for (const kind of ["timeout", "unreachable"] as const) {
      const transport = () => Promise.reject(new ProviderError(kind, "The transport failed. Try again."));
      for (const way of ways) equal((await providerErrorOf(ask(way, { transport }))).failure, kind, way);
    }
  },
};

/**
 * Calls the provider and returns what reached the upstream: the URL, which contains the model for some, and the body.
 */
async function sentFor({ play, ask, received }: ProviderContext, way: Way, request: object): Promise<string> {
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
