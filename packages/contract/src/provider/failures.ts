import { doesNotMatch, equal, match, ok } from "node:assert/strict";
import type { ProviderFailure } from "@tollgate/core/provider";
import type { Cases } from "../suite.ts";
import type { ProviderContext, Way } from "./context.ts";
import { everythingOf, providerErrorOf } from "./rejections.ts";
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

/** The cases of failures that an upstream reports with its status. */
export const failureCases: Cases<ProviderContext> = {
  ...Object.fromEntries(Object.entries(failureOfStatus).map(([status, kind]) => statusCase(Number(status), kind))),
  "a prompt that is too long rejects with context_length": async (context) => {
    await expectFailure(context, failing(400, { about: "context_length", message: "Too long." }), "context_length");
  },
  "the error has the upstream's retry-after": async (context) => {
    for (const status of [429, 503]) {
      for (const way of ways) {
        context.play(failing(status, { retryAfterSeconds: 7 }));
        equal((await providerErrorOf(context.ask(way))).details.retryAfterSeconds, 7, way);
      }
    }
    context.play(failing(429));
    equal((await providerErrorOf(context.ask("complete"))).details.retryAfterSeconds, undefined);
  },
  "clientMessage has the upstream's reason without the host, the key or the upstream's model name": async (context) => {
    const { origin, apiKey, model } = context.upstream;
    const host = origin.replace("http://", "");
    const message = `Temperature must be at most 2. See ${origin}/docs at ${host}, key ${apiKey}, model ${model}.`;
    for (const way of ways) {
      context.play(failing(400, { message }));
      const { clientMessage = "" } = (await providerErrorOf(context.ask(way))).details;
      match(clientMessage, /Temperature must be at most 2\./, "clientMessage must contain the upstream's message.");
      for (const secret of [host, apiKey, model])
        ok(!clientMessage.includes(secret), `clientMessage must not contain ${secret}.`);
    }
  },
  "no error contains the key": async (context) => {
    const { apiKey } = context.upstream;
    for (const status of [400, 401, 429, 500]) {
      for (const way of ways) {
        context.play(failing(status, { message: `Wrong key ${apiKey}.` }));
        ok(!everythingOf(await providerErrorOf(context.ask(way))).includes(apiKey), `${status}, ${way}`);
      }
    }
  },
  "the error message describes the failure": async ({ play, ask }) => {
    play(failing(500));
    const { message } = await providerErrorOf(ask("complete"));
    ok(message.trim().length > 10, `The message "${message}" is too short.`);
    doesNotMatch(message, /\[object Object\]|undefined/);
  },
  "a call after a failure succeeds": async ({ play, ask }) => {
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
  return [
    `status ${status} rejects with ${kind}, without a retry`,
    (context) => expectFailure(context, failing(status), kind),
  ];
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
