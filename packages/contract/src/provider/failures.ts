import { doesNotMatch, equal, match, ok } from "node:assert/strict";
import type { ProviderFailure } from "@tollgate/core/provider";
import type { Cases } from "../suite.ts";
import type { ProviderContext, Way } from "./context.ts";
import { everythingOf, providerErrorOf } from "./told-failure.ts";
import { answering, failing, type ScriptedFailure } from "./upstream-script.ts";

const ways: readonly Way[] = ["complete", "stream"];

const failureOfStatus: Readonly<Record<number, ProviderFailure>> = {
  400: "rejected",
  422: "rejected",
  401: "credentials",
  402: "credentials",
  403: "credentials",
  404: "credentials",
  408: "failed",
  409: "failed",
  425: "failed",
  500: "failed",
  502: "failed",
  504: "failed",
  413: "too_large",
  429: "overloaded",
  503: "overloaded",
  529: "overloaded",
};

/** What holds of the failures that an upstream tells with its status. */
export const failureCases: Cases<ProviderContext> = {
  ...Object.fromEntries(Object.entries(failureOfStatus).map(([status, kind]) => statusCase(Number(status), kind))),
  "a prompt that is too long is told from other refusals": async (context) => {
    await expectFailure(context, failing(400, { about: "context_length", message: "Too long." }), "context_length");
  },
  "the wait that the upstream asks for is told": async (context) => {
    for (const status of [429, 503]) {
      for (const way of ways) {
        context.play(failing(status, { retryAfterSeconds: 7 }));
        equal((await providerErrorOf(context.ask(way))).details.retryAfterSeconds, 7, way);
      }
    }
    context.play(failing(429));
    equal((await providerErrorOf(context.ask("complete"))).details.retryAfterSeconds, undefined);
  },
  "a client reads what was refused, and neither host nor key nor the model's name there": async (context) => {
    const { origin, apiKey, model } = context.upstream;
    const host = origin.replace("http://", "");
    const message = `Temperature must be at most 2. See ${origin}/docs at ${host}, key ${apiKey}, model ${model}.`;
    for (const way of ways) {
      context.play(failing(400, { message }));
      const { clientMessage = "" } = (await providerErrorOf(context.ask(way))).details;
      match(clientMessage, /Temperature must be at most 2\./, "clientMessage must hold the upstream's words.");
      for (const secret of [host, apiKey, model]) ok(!clientMessage.includes(secret), `It tells ${secret}.`);
    }
  },
  "the key is nowhere in an error": async (context) => {
    const { apiKey } = context.upstream;
    for (const status of [400, 401, 429, 500]) {
      for (const way of ways) {
        context.play(failing(status, { message: `Wrong key ${apiKey}.` }));
        ok(!everythingOf(await providerErrorOf(context.ask(way))).includes(apiKey), `${status}, ${way}`);
      }
    }
  },
  "the message for the host says what happened": async ({ play, ask }) => {
    play(failing(500));
    const { message } = await providerErrorOf(ask("complete"));
    ok(message.trim().length > 10, `The message is only "${message}".`);
    doesNotMatch(message, /\[object Object\]|undefined/);
  },
  "after a failure the next call is served": async ({ play, ask }) => {
    for (const way of ways) {
      play(failing(500));
      await providerErrorOf(ask(way));
      play(answering());
      equal((await ask(way)).text, "Hello.", way);
    }
  },
};

function statusCase(
  status: number,
  kind: ProviderFailure,
): readonly [string, (context: ProviderContext) => Promise<void>] {
  return [`${status} is ${kind}, and asked once`, (context) => expectFailure(context, failing(status), kind)];
}

async function expectFailure(context: ProviderContext, failure: ScriptedFailure, kind: ProviderFailure): Promise<void> {
  for (const way of ways) {
    const before = context.received.length;
    context.play(failure);
    const error = await providerErrorOf(context.ask(way));
    equal(error.failure, kind, way);
    equal(error.details.status, failure.status, way);
    equal(context.received.length - before, 1, "An adapter never retries: the gateway does.");
  }
}
