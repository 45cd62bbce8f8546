import * as v from "valibot";
import { removedBetas, withoutDate } from "./dialects/messages/request/betas.ts";
import { responsesSchema } from "./dialects/responses/response-options.ts";
import { contentSchema } from "./events/content-log.ts";
import { noticesSchema } from "./events/notice-delivery.ts";
import { usageSchema } from "./events/usage-recorder.ts";
import { corsSchema } from "./http/cors.ts";
import { mountOptions } from "./http/serve-document.ts";
import type { MoneyOptions } from "./money/money-options.ts";
import { spendCapSchema } from "./money/spend-cap.ts";
import { parseAmount } from "./options/decimal.ts";
import {
  arrayOf,
  date,
  filledText,
  functionValue,
  listOrFunction,
  oneOf,
  port,
  timeZone,
  wanted,
  wholeNumber,
} from "./options/leaves.ts";
import { optionMembers } from "./options/members.ts";
import { nearest } from "./options/nearest.ts";
import { uniqueIds } from "./options/problems.ts";
import type { BalanceStore } from "./ports/balance-store.ts";
import { type GatewayExtension, isExtension } from "./ports/extension.ts";
import type { KeyStore } from "./ports/key-store.ts";
import type { Limiter } from "./ports/limiter.ts";
import { planLimitsSchema, spendModels } from "./ports/limits-schema.ts";
import { modelListSchema, upstreamLimits } from "./ports/model-schema.ts";
import type { Observer } from "./ports/observer.ts";
import { spendWindows } from "./ports/spend-limit.ts";
import type { TermsStore } from "./ports/terms-store.ts";
import type { Transport } from "./ports/transport.ts";
import { dialects } from "./wire/dialect.ts";
import { features } from "./wire/feature.ts";

const balanceVerbs = [
  "hold",
  "renew",
  "settle",
  "release",
  "expire",
  "credit",
  "debit",
  "refund",
  "balance",
  "usedBy",
  "onFreeze",
  "entries",
  "verify",
  "findAccount",
  "spendOf",
] as const satisfies readonly (keyof BalanceStore)[];

const spend = optionMembers("a spend limit", {
  limit: v.pipe(
    filledText,
    v.check(isAmount, 'is not an amount of 0 or more. Write a decimal string, such as "12.50"'),
  ),
  window: oneOf(...spendWindows),
  timezone: v.exactOptional(timeZone),
  models: v.exactOptional(spendModels),
});

const allowance = optionMembers("an allowance", {
  amount: v.pipe(
    filledText,
    v.check(isAmount, 'is not an amount. Write a decimal string, such as "5.00"'),
    v.check(
      (text) => !isAmount(text) || parseAmount(text) > 0n,
      "grants nothing. Give more than 0, or leave `allowance` out",
    ),
  ),
  window: oneOf("day", "week", "month"),
  timezone: v.exactOptional(timeZone),
});

const planMembers = optionMembers("a plan", {
  id: filledText,
  billing: oneOf("prepaid", "none"),
  features: v.exactOptional(arrayOf("features", oneOf(...features))),
  dialects: v.exactOptional(arrayOf("dialects", oneOf(...dialects))),
  models: v.exactOptional(arrayOf("model ids", filledText)),
  limits: v.exactOptional(planLimitsSchema),
  spend: v.exactOptional(spend),
  allowance: v.exactOptional(allowance),
});

const plan = v.pipe(
  planMembers,
  v.partialCheck(
    [["billing"], ["spend"]],
    ({ billing, spend: limit }) => billing !== "none" || limit === undefined,
    'has `spend`, but its requests cost nothing. Remove `spend`, or set `billing` to "prepaid"',
  ),
  v.partialCheck(
    [["billing"], ["allowance"]],
    ({ billing, allowance: granted }) => billing !== "none" || granted === undefined,
    'has `allowance`, but its requests cost nothing. Remove `allowance`, or set `billing` to "prepaid"',
  ),
);

const termsVersion = optionMembers("a version of the terms", {
  id: filledText,
  version: filledText,
  enforcementAt: v.exactOptional(date),
  acceptUrl: filledText,
});

const terms = optionMembers("the option `terms`", {
  store: port<TermsStore>("a TermsStore", ["accept", "acceptance"], "memoryTermsStore()"),
  versions: listOrFunction("versions", v.pipe(arrayOf("versions", termsVersion), uniqueIds())),
});

const routing = optionMembers("the option `routing`", {
  retries: v.exactOptional(wholeNumber(0)),
  backoffMs: v.exactOptional(wholeNumber()),
  maxRetryAfterMs: v.exactOptional(wholeNumber()),
  breaker: v.exactOptional(
    optionMembers("the option `routing.breaker`", {
      threshold: v.exactOptional(wholeNumber()),
      cooldownMs: v.exactOptional(wholeNumber()),
    }),
  ),
});

const streams = optionMembers("the option `streams`", {
  usageFrame: v.exactOptional(oneOf("always", "on-request")),
  responseStartTimeoutMs: v.exactOptional(wholeNumber()),
  keepAliveMs: v.exactOptional(wholeNumber()),
  stalledMs: v.exactOptional(wholeNumber()),
  maxBufferedBytesPerStream: v.exactOptional(wholeNumber()),
  maxBufferedBytes: v.exactOptional(wholeNumber()),
});

const bodies = optionMembers("the option `bodies`", {
  stalledMs: v.exactOptional(wholeNumber()),
  slowAfterMs: v.exactOptional(wholeNumber()),
  minBytesPerSecond: v.exactOptional(wholeNumber()),
  waitMs: v.exactOptional(wholeNumber()),
});

const money = v.pipe(
  optionMembers("the option `money`", {
    interrupted: v.exactOptional(oneOf("charge", "waive")),
    minAffordableTokens: v.exactOptional(wholeNumber()),
    reserveOutputTokens: v.exactOptional(wholeNumber()),
    countTokens: v.exactOptional(
      functionValue<NonNullable<MoneyOptions["countTokens"]>>("Give (text, model) => number, or leave it out."),
    ),
    hiddenReasoning: v.exactOptional(oneOf("drain", "estimate")),
    hiddenTokensPerSecond: v.exactOptional(wholeNumber()),
    usageDrainMs: v.exactOptional(wholeNumber()),
    leaseMs: v.exactOptional(wholeNumber()),
    heartbeatMs: v.exactOptional(wholeNumber()),
  }),
  v.partialCheck(
    [["leaseMs"], ["heartbeatMs"]],
    ({ leaseMs = 60_000, heartbeatMs = 0 }) => heartbeatMs <= leaseMs / 2,
    "has a `heartbeatMs` of more than half of its `leaseMs`, so holds would expire after one missed beat. Lower it or leave it out",
  ),
);

function isAmount(text: string): boolean {
  try {
    return parseAmount(text) >= 0n;
  } catch {
    return false;
  }
}

/** The message does not quote the value. */
const secretText = v.custom<string>(
  (value) => typeof value === "string" && value !== "",
  "is not a text. Give a random one of at least 32 characters",
);
const secret = v.lazy((value) =>
  Array.isArray(value)
    ? v.pipe(v.array(secretText), v.minLength(1, "is empty. Give at least one secret, or leave it out"))
    : secretText,
);

const removedBeta = v.picklist(removedBetas, (issue) => {
  const { input } = issue;
  const suggestion = typeof input === "string" ? nearest(withoutDate(input), removedBetas) : undefined;
  const message = wanted("must be a beta that is removed by default, without its date")(issue);
  return suggestion === undefined
    ? `${message}. Remove it, since all others are sent on; the betas are ${removedBetas.join(", ")}`
    : `${message}. Did you mean ${suggestion}?`;
});

const messagesSchema = optionMembers("the option `messages`", {
  allowedBetas: v.exactOptional(arrayOf("betas", removedBeta)),
});

/** The schema of the options of a gateway. */
export const gatewaySchema = optionMembers("the options of createGateway", {
  models: listOrFunction("models", modelListSchema),
  keys: port<KeyStore>("a KeyStore", ["find", "get", "onChange"], "memoryKeyStore()"),
  balances: port<BalanceStore>("a BalanceStore", balanceVerbs, "memoryBalanceStore()"),
  currency: v.exactOptional(filledText),
  plans: v.pipe(
    arrayOf('plans, each { id, billing: "prepaid" or "none" }', plan),
    v.minLength(1, "is empty. Give at least one plan, and name it in each key"),
    uniqueIds(),
  ),
  terms: v.exactOptional(terms),
  transport: v.exactOptional(functionValue<Transport>("Pass pooledTransport() of @tollgate/node, or leave it out.")),
  ...mountOptions("routerApi of @tollgate/core/openapi"),
  maxBodyBytes: v.exactOptional(wholeNumber()),
  maxBufferedRequestBytes: v.exactOptional(wholeNumber()),
  bodies: v.exactOptional(bodies),
  maxInFlight: v.exactOptional(wholeNumber()),
  maxInFlightPerKey: v.exactOptional(wholeNumber()),
  storeTimeoutMs: v.exactOptional(wholeNumber()),
  maxFailedKeysPerMinute: v.exactOptional(wholeNumber()),
  secret: v.exactOptional(secret),
  upstream: v.exactOptional(upstreamLimits),
  routing: v.exactOptional(routing),
  streams: v.exactOptional(streams),
  money: v.exactOptional(money),
  limiter: v.exactOptional(
    port<Limiter>(
      "a Limiter",
      ["countRequest", "reserve", "settle", "renew"],
      "memoryLimiter() or redisLimiter(client)",
    ),
  ),
  observer: v.exactOptional(functionValue<Observer>("Give (event) => void, or leave it out.")),
  cors: v.exactOptional(corsSchema),
  content: v.exactOptional(contentSchema),
  usage: v.exactOptional(usageSchema),
  spend: v.exactOptional(spendCapSchema),
  notices: v.exactOptional(noticesSchema),
  responses: v.exactOptional(responsesSchema),
  messages: v.exactOptional(messagesSchema),
  extensions: v.exactOptional(
    arrayOf(
      "extensions, such as [assistants({ ... })]",
      v.custom<GatewayExtension>(
        isExtension,
        wanted("must be made by a function such as assistants() of @tollgate/assistants"),
      ),
    ),
  ),
});
