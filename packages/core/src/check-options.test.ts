import { describe, expect, it } from "vitest";
import { keyLocation } from "./access/key-location.ts";
import { checkOptions } from "./check-options.ts";
import { memoryBalanceStore } from "./memory/memory-balance-store.ts";
import { memoryKeyStore } from "./memory/memory-key-store.ts";
import { memoryTermsStore } from "./memory/memory-terms-store.ts";
import { openaiCompatible } from "./providers/openai-compatible.ts";

const provider = openaiCompatible({ baseURL: "http://127.0.0.1:1/v1" });

const model = (more: object = {}) => ({
  id: "m",
  maxOutputTokens: 100,
  price: { input: "1", output: "2" },
  targets: [{ provider, model: "up" }],
  ...more,
});

const plan = (more: object = {}) => ({ id: "plan", billing: "prepaid", ...more });

const version = { id: "v1", version: "1", acceptUrl: "https://host.example/terms" };

const options = (more: object = {}) => ({
  keys: memoryKeyStore(),
  balances: memoryBalanceStore(),
  plans: [plan()],
  models: [model()],
  ...more,
});

const check = (more: object) => () => checkOptions(options(more));

describe("the options of a gateway", () => {
  it("must not be a promise", () => {
    expect(() => checkOptions(Promise.resolve(options()))).toThrow(
      "The options are a promise. Await it first, and pass its value.",
    );
  });

  it.each<[string, object, string]>([
    [
      "an unknown option",
      { maxBodyByte: 1 },
      "`maxBodyByte` is not a member of the options of createGateway. Did you mean maxBodyBytes?",
    ],
    [
      "a promise of a store",
      { keys: Promise.resolve(memoryKeyStore()) },
      "`keys` is a promise. Await it first, and pass its value.",
    ],
    [
      "an unknown option that resembles no other",
      { zebra: 1 },
      "`zebra` is not a member of the options of createGateway. Remove it",
    ],
    [
      "a misspelt limit",
      { plans: [plan({ limits: { request: { limit: 1 } } })] },
      "`plans (plan).limits.request` is not a member of limits. Did you mean requests?",
    ],
    [
      "a limit that is a number",
      { plans: [plan({ limits: { requests: 5 } })] },
      "`plans (plan).limits.requests` must be an object with the members of a window limit, not 5.",
    ],
    [
      "plans that are an object",
      { plans: plan() },
      '`plans` must be an array of plans, each { id, billing: "prepaid" or "none" }, not an object.',
    ],
    ["no plans", { plans: [] }, "`plans` is empty. Give at least one plan"],
    ["absent plans", { plans: undefined }, "`plans` is missing. It is required in the options of createGateway."],
    ["a plan twice", { plans: [plan(), plan()] }, '`plans` has "plan" twice. Give each its own id.'],
    [
      "a plan with an unknown model",
      { plans: [plan({ models: ["m", "gone"] })] },
      '`plans (plan).models` names "gone", which is not among `models`.',
    ],
    [
      "a plan whose spend limit is of models that are not offered",
      { plans: [{ id: "plan", billing: "prepaid", spend: { limit: "1", window: "day", models: ["m*", "gone-*"] } }] },
      '`plans (plan).spend.models` names "gone-*", which is not among `models`.',
    ],
    [
      "a plan with an unknown feature",
      { plans: [plan({ features: ["tool"] })] },
      '`plans (plan).features[0]` must be "response_format" or "image_url" or "tools" or "reasoning_effort", not the string "tool". Did you mean tools?',
    ],
    [
      "a plan with an unknown dialect",
      { plans: [plan({ dialects: ["chat", "message"] })] },
      '`plans (plan).dialects[1]` must be "chat" or "responses" or "messages" or "embeddings", not the string "message". Did you mean messages?',
    ],
    [
      "an unknown kind of billing",
      { plans: [plan({ billing: "free" })] },
      '`plans (plan).billing` must be "prepaid" or "none", not the string "free".',
    ],
    [
      "an allowance of nothing",
      { plans: [plan({ allowance: { amount: "0", window: "month" } })] },
      "`plans (plan).allowance.amount` grants nothing. Give more than 0, or leave `allowance` out.",
    ],
    [
      "an allowance that is no amount",
      { plans: [plan({ allowance: { amount: "5 EUR", window: "month" } })] },
      '`plans (plan).allowance.amount` is not an amount. Write a decimal string, such as "5.00".',
    ],
    [
      "an allowance without an end",
      { plans: [plan({ allowance: { amount: "5", window: "total" } })] },
      '`plans (plan).allowance.window` must be "day" or "week" or "month", not the string "total".',
    ],
    [
      "an allowance without billing",
      { plans: [plan({ billing: "none", allowance: { amount: "5", window: "month" } })] },
      '`plans (plan)` has `allowance`, but its requests cost nothing. Remove `allowance`, or set `billing` to "prepaid".',
    ],
    ["a model without a price", { models: [model({ price: undefined })] }, "`models (m).price` is missing."],
    [
      "a misspelt price",
      { models: [model({ price: { input: "1", output: "1", cachedinput: "1" } })] },
      "`models (m).price.cachedinput` is not a member of a price list. Did you mean cachedInput?",
    ],
    [
      "a price that is a number",
      { models: [model({ price: { input: 1, output: "1" } })] },
      '`models (m).price.input` must be a decimal string, such as "2.50", not 1.',
    ],
    [
      "a negative price",
      { models: [model({ price: { input: "-1", output: "1" } })] },
      "`models (m).price.input` is -1. Give 0 or more.",
    ],
    ["a price that is a word", { models: [model({ price: "gratis" })] }, "`models (m).price` must be a price list"],
    [
      "a target without a model",
      { models: [model({ targets: [{ provider }] })] },
      "`models (m).targets[0].model` is missing. It is required in a target.",
    ],
    [
      "no targets",
      { models: [model({ targets: [] })] },
      "`models (m).targets` is empty. Give at least one { provider, model }.",
    ],
    [
      "a provider that is a string",
      { models: [model({ targets: [{ provider: "sk-secret", model: "up" }] })] },
      "`models (m).targets[0].provider` must be a ProviderAdapter, not a string. Pass one, such as openaiCompatible",
    ],
    [
      "a model without a cap on its output",
      { models: [model({ maxOutputTokens: undefined })] },
      "`models (m).maxOutputTokens` is missing.",
    ],
    [
      "an effort that is not a level",
      { models: [model({ reasoning: { effortLevels: ["low"], defaultEffort: "high" } })] },
      "`models (m).reasoning` has a `defaultEffort` that is not one of its `effortLevels`.",
    ],
    [
      "a date that is a string",
      { models: [model({ created: "2026-01-01" })] },
      "`models (m).created` must be a valid Date",
    ],
    ["models that are a string", { models: "gpt" }, '`models` must be an array of models, not the string "gpt".'],
    [
      "a store that is a path",
      { keys: "./gateway-options/keys.db" },
      "`keys` must be a KeyStore, not a string. Pass one, such as memoryKeyStore().",
    ],
    [
      "an empty limiter",
      { limiter: {} },
      "`limiter` must be a Limiter, not an object without countRequest, reserve, settle, renew.",
    ],
    [
      "terms without an acceptUrl",
      { terms: { store: memoryTermsStore(), versions: [{ id: "v1", version: "1" }] } },
      "`terms.versions (v1).acceptUrl` is missing.",
    ],
    [
      "an enforcementAt that is a string",
      { terms: { store: memoryTermsStore(), versions: [{ ...version, enforcementAt: "2027-01-01" }] } },
      "`terms.versions (v1).enforcementAt` must be a valid Date",
    ],
    ["terms without a store", { terms: { versions: [version] } }, "`terms.store` is missing."],
    [
      "a base path with a slash at its end",
      { basePath: "/v1/" },
      "`basePath` must begin with a slash and not end with one",
    ],
    ["an observer that is an object", { observer: {} }, "`observer` must be a function."],
    ["a transport that is a string", { transport: "fetch" }, "`transport` must be a function."],
    [
      "an extension that is a function",
      { extensions: [() => undefined] },
      "`extensions[0]` must be made by a function such as assistants()",
    ],
    [
      "a heartbeat that is too slow",
      { money: { leaseMs: 60_000, heartbeatMs: 30_001 } },
      "`money` has a `heartbeatMs` of more than half of its `leaseMs`",
    ],
    [
      "a heartbeat that is too slow for the default lease",
      { money: { heartbeatMs: 30_001 } },
      "`money` has a `heartbeatMs`",
    ],
    [
      "a misspelt beta",
      { messages: { allowedBetas: ["compact", "fastmode"] } },
      '`messages.allowedBetas[1]` must be a beta that is removed by default, without its date, not the string "fastmode". Did you mean fast-mode?',
    ],
    [
      "a beta with its date",
      { messages: { allowedBetas: ["context-1m-2025-08-07"] } },
      '`messages.allowedBetas[0]` must be a beta that is removed by default, without its date, not the string "context-1m-2025-08-07". Did you mean context-1m?',
    ],
    [
      "a beta that is sent on anyway",
      { messages: { allowedBetas: ["interleaved-thinking"] } },
      '`messages.allowedBetas[0]` must be a beta that is removed by default, without its date, not the string "interleaved-thinking". Remove it, since all others are sent on; the betas are advisor-tool, ',
    ],
    [
      "a misspelt option of messages",
      { messages: { allowedBeta: [] } },
      "`messages.allowedBeta` is not a member of the option `messages`. Did you mean allowedBetas?",
    ],
    ["options that are none", { money: 5 }, "`money` must be an object with the members of the option `money`, not 5."],
  ])("refuse %s", (_, more, problem) => {
    expect(check(more)).toThrow(`createGateway cannot start:\n- ${problem}`);
  });

  it.each([undefined, null, "options", 5, []])("refuse %s in place of the options", (value) => {
    expect(() => checkOptions(value)).toThrow("createGateway cannot start:\n- The options: must be an object");
  });

  it("report all problems in one error, including those of extensions", () => {
    const extension = {
      origins: [],
      problems: (models: unknown) => [`${Array.isArray(models)}`, "two"],
      attach: () => ({}),
    };
    const invalid = check({ maxInFlight: 0, plans: [plan({ billing: 1 })], extensions: [extension] });
    expect(invalid).toThrow(/`maxInFlight` must be.*\n(.*\n)*- true\n- two$/);
    expect(invalid).toThrow("`plans (plan).billing`");
  });

  it("treat an undefined member as absent", () => {
    const absent = { extensions: undefined, terms: undefined, upstream: { connectMs: undefined }, limiter: undefined };
    expect(checkOptions(options(absent))).not.toHaveProperty("assistants");
    expect(checkOptions(options(absent)).upstream).toEqual({});
  });

  it("accept 0 retries, and refuse invalid numbers", () => {
    check({ routing: { retries: 0, backoffMs: 1, maxRetryAfterMs: 1, breaker: { threshold: 1, cooldownMs: 1 } } })();
    const faults = { retries: -1, backoffMs: 0, maxRetryAfterMs: Number.NaN };
    for (const [name, value] of Object.entries(faults)) {
      expect(check({ routing: { [name]: value } }), name).toThrow(`\`routing.${name}\` must be a whole number`);
    }
    for (const [name, value] of Object.entries({ threshold: 1.5, cooldownMs: "1" })) {
      const place = `\`routing.breaker.${name}\``;
      expect(check({ routing: { breaker: { [name]: value } } }), name).toThrow(`${place} must be a whole number`);
    }
    expect(check({ routing: { breaker: { treshold: 5 } } })).toThrow("Did you mean threshold?");
    check({ money: { leaseMs: 60_000, heartbeatMs: 30_000 } })();
    check({ money: { leaseMs: 500 } })();
  });

  it("are copied, so that later changes have no effect", () => {
    const plans = [plan({ limits: { concurrency: 1 } })];
    const created = new Date(0);
    const models = [model({ created, extra: { tags: ["a"] } })];
    const checked = checkOptions(options({ plans, models }));
    created.setFullYear(2000);
    plans.pop();
    models[0]?.targets.pop();
    expect(checked.plans).toEqual([plan({ limits: { concurrency: 1 } })]);
    expect(checked.models).toEqual([model({ created: new Date(0), extra: { tags: ["a"] } })]);
  });

  it("refuse balances that check keys in another location than `keys`", () => {
    const balances = Object.assign(memoryBalanceStore(), { [keyLocation]: "PostgreSQL" });
    expect(check({ balances })).toThrow("`balances` checks each key in PostgreSQL, but `keys` stores them in memory");
    const own = { find: () => undefined, get: () => undefined, onChange: () => () => undefined };
    check({ balances, keys: own })();
    check({ balances, keys: Object.assign(memoryKeyStore(), { [keyLocation]: "PostgreSQL" }) })();
  });
});
