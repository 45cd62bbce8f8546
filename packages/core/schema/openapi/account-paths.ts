import { keyScopes } from "../../src/ports/key-store.ts";
import { spendWindows } from "../../src/ports/spend-limit.ts";
import { dialects } from "../../src/wire/dialect.ts";
import { features } from "../../src/wire/feature.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { dateTime, integer, listOf, nullable, open, ref, text } from "./answer-schemas.ts";
import { errors, json, success } from "./responses.ts";

const number = { type: "number" };
const flag = { type: "boolean" };
const amount = { type: "string", pattern: "^-?[0-9]+(\\.[0-9]{1,9})?$", description: "An amount as a decimal string." };
const one = <const Name extends string>(...names: readonly Name[]): JsonObject => ({
  type: "string",
  enum: [...names],
});

const tokens = open({
  input: { type: "integer", description: "All prompt tokens, of which the next three are parts." },
  cached_input: integer,
  cache_write_5m: integer,
  cache_write_1h: integer,
  output: { type: "integer", description: "All completion tokens." },
  reasoning: integer,
});

const windowLimit = nullable(open({ limit: integer, window_seconds: integer }));

/** The form of OpenRouter's API, whose reference describes its members. */
const asOpenRouter = (properties: JsonObject, page: string): JsonObject => ({
  ...open(properties),
  description: "The form of OpenRouter's API. Amounts are numbers, which are rounded.",
  externalDocs: { url: `https://openrouter.ai/docs/api/api-reference/${page}` },
});

/** The answers of the endpoints of the account. */
export const accountSchemas: JsonObject = {
  KeyAnswer: open({
    data: asOpenRouter(
      {
        label: text,
        usage: number,
        usage_daily: nullable(number),
        usage_weekly: nullable(number),
        usage_monthly: nullable(number),
        limit: nullable(number),
        limit_remaining: nullable(number),
        limit_reset: nullable(one("daily", "weekly", "monthly")),
        expires_at: nullable(dateTime),
        is_free_tier: flag,
        rate_limit: open({ requests: integer, interval: text, note: text }),
      },
      "api-keys/get-current-key",
    ),
    key: ref("OwnKey"),
  }),
  OwnKey: open({
    id: text,
    name: nullable(text),
    last_four: text,
    account: text,
    plan: text,
    billing: one("prepaid", "none"),
    scopes: listOf(one(...keyScopes)),
    models: listOf(text),
    dialects: listOf(one(...dialects)),
    features: listOf(one(...features)),
    limits: open({ requests: windowLimit, tokens: windowLimit, concurrency: nullable(integer) }),
    tags: listOf(text),
    created_at: dateTime,
    expires_at: nullable(dateTime),
    spend: listOf(
      open({
        scope: one("account", "key", "token"),
        limit: amount,
        window: one(...spendWindows),
        timezone: text,
        used: amount,
        resets_at: nullable(dateTime),
      }),
    ),
    usage: open({ total: amount, day: nullable(amount), week: nullable(amount), month: nullable(amount) }),
  }),
  CreditsAnswer: open({
    data: asOpenRouter({ total_credits: number, total_usage: number }, "credits/get-credits"),
    balance: open({
      currency: nullable(text),
      posted: amount,
      held: amount,
      available: amount,
      expiring: listOf(open({ amount, expires_at: dateTime })),
    }),
    totals: open({ credited: amount, used: amount }),
  }),
  UsageReport: open({
    from: dateTime,
    to: dateTime,
    bucket: text,
    group_by: nullable(text),
    data: listOf(
      open({
        start: dateTime,
        group: { type: ["string", "null"], description: "Null for requests without a value, and for `others`." },
        others: { type: "boolean", description: "True for the sum of the groups with the lowest cost." },
        requests: integer,
        failed: integer,
        refused: integer,
        tokens,
        cost: amount,
      }),
    ),
  }),
  GenerationAnswer: open({
    data: asOpenRouter(
      {
        id: text,
        created_at: dateTime,
        model: text,
        streamed: flag,
        cancelled: flag,
        total_cost: number,
        tokens_prompt: integer,
        tokens_completion: integer,
        native_tokens_prompt: integer,
        native_tokens_completion: integer,
        native_tokens_reasoning: integer,
        native_tokens_cached: integer,
        latency: number,
        generation_time: number,
      },
      "generations/get-generation",
    ),
    receipt: open({
      request_id: text,
      answer_id: nullable(text),
      key: nullable(text),
      model: nullable(text),
      dialect: nullable(one(...dialects)),
      description: nullable(text),
      metadata: nullable({ type: "object", additionalProperties: text }),
      end_user: nullable(text),
      status: nullable(integer),
      error_code: nullable(text),
      ending: text,
      created_at: dateTime,
      first_content_ms: nullable(integer),
      duration_ms: integer,
      tokens,
      estimated: flag,
      cost: amount,
    }),
  }),
};

const time = (defaultText: string): JsonObject => ({
  type: "string",
  description: `A date, or a time with its zone. Default: ${defaultText}.`,
});
const query = (name: string, schema: JsonObject, required = false): JsonObject => ({
  name,
  in: "query",
  ...(required ? { required } : {}),
  schema,
});

/** The endpoints that show an account to its keys. */
export const accountPaths: JsonObject = {
  "/key": {
    get: {
      operationId: "showKey",
      tags: ["Account"],
      summary: "Show the key that asks, its limits and what it used",
      responses: { 200: success("The key.", json("KeyAnswer")), ...errors(401, 403, 428, 429, 500, 503) },
    },
  },
  "/credits": {
    get: {
      operationId: "showCredits",
      tags: ["Account"],
      summary: "Show the balance of the account",
      responses: { 200: success("The balance.", json("CreditsAnswer")), ...errors(401, 403, 428, 429, 500, 503) },
    },
  },
  "/usage": {
    get: {
      operationId: "reportAccountUsage",
      tags: ["Account"],
      summary: "Sum up what the account used, by time and by a dimension",
      parameters: [
        query("from", time("seven days before `to`")),
        query("to", time("now")),
        query("bucket", { ...one("hour", "day", "month", "all"), default: "day" }),
        query("group_by", one("model", "key", "day", "end_user", "tag", "dialect")),
        query("format", { ...one("json", "csv"), default: "json" }),
      ],
      responses: {
        200: success("Sums of each bucket and group.", { ...json("UsageReport"), "text/csv": { schema: text } }),
        ...errors(400, 401, 403, 404, 428, 429, 500, 503),
      },
    },
  },
  "/generation": {
    get: {
      operationId: "showGeneration",
      tags: ["Account"],
      summary: "Show the receipt of one request or charge of the account",
      parameters: [
        query(
          "id",
          { type: "string", description: "The id of its answer, its `x-request-id`, or the id of a charge." },
          true,
        ),
      ],
      responses: {
        200: success("The receipt.", json("GenerationAnswer")),
        ...errors(400, 401, 403, 404, 428, 429, 500, 503),
      },
    },
  },
};
