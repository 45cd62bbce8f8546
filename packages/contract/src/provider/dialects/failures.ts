import { equal, match, ok } from "node:assert/strict";
import type { ProviderFailure } from "@tollgate/core/provider";
import type { Cases } from "../../suite.ts";
import { everythingOf, providerErrorOf } from "../rejections.ts";
import { askNative, type DialectContext, failureOf } from "./native-calls.ts";

const failureOfStatus: Readonly<Record<number, ProviderFailure>> = {
  400: "rejected",
  401: "credentials",
  429: "overloaded",
  500: "failed",
};

/** The cases of the failures of every dialect. */
export const nativeFailures: Cases<DialectContext> = {
  ...Object.fromEntries(
    Object.entries(failureOfStatus).map(([status, kind]) => [
      `status ${status} rejects with ${kind}, without a retry`,
      (context: DialectContext) => expectFailure(context, Number(status), kind),
    ]),
  ),
  "the error has the upstream's retry-after": async (context) => {
    for (const form of context.forms) {
      context.play(failureOf(context, 429, { headers: { "retry-after": "7" } }));
      equal((await providerErrorOf(askNative(context, form))).details.retryAfterSeconds, 7, form);
    }
  },
  "clientMessage has the upstream's reason without the host, the key or the upstream's model name": async (context) => {
    const { origin, apiKey, model } = context.upstream;
    const host = origin.replace("http://", "");
    const message = `Temperature must be at most 2. See ${origin}/docs at ${host}, key ${apiKey}, model ${model}.`;
    for (const status of Object.keys(failureOfStatus)) {
      for (const form of context.forms) {
        context.play(failureOf(context, Number(status), { message }));
        const { clientMessage = "" } = (await providerErrorOf(askNative(context, form))).details;
        if (status === "400")
          match(clientMessage, /Temperature must be at most 2\./, "The upstream's message is missing.");
        for (const secret of [host, apiKey, model])
          ok(!clientMessage.includes(secret), `clientMessage must not contain ${secret}, ${status}, ${form}.`);
      }
    }
  },
  "no error contains the key": async (context) => {
    const { apiKey } = context.upstream;
    for (const status of Object.keys(failureOfStatus)) {
      for (const form of context.forms) {
        context.play(failureOf(context, Number(status), { message: `Wrong key ${apiKey}.` }));
        ok(!everythingOf(await providerErrorOf(askNative(context, form))).includes(apiKey), `${status}, ${form}`);
      }
    }
  },
  "an upstream that does not listen rejects with unreachable": async (context) => {
    await context.shutDown();
    for (const form of context.forms) {
      equal((await providerErrorOf(askNative(context, form))).failure, "unreachable", form);
    }
  },
};

async function expectFailure(context: DialectContext, status: number, kind: ProviderFailure): Promise<void> {
  for (const form of context.forms) {
    const before = context.received.length;
    context.play(failureOf(context, status));
    const error = await providerErrorOf(askNative(context, form));
    equal(error.failure, kind, form);
    equal(error.details.status, status, form);
    equal(context.received.length - before, 1, "An adapter never retries: the gateway does.");
  }
}
