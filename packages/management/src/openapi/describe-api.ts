import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { ManagementRoute } from "../http/route.ts";
import { noBody } from "../operations/operation.ts";
import { balanceAnswer } from "../resources/accounts/balance-answers.ts";
import { accountAnswer } from "../resources/accounts/read-accounts.ts";
import { assistantAnswer } from "../resources/assistants.ts";
import { keyAnswer } from "../resources/keys/read-keys.ts";
import { entryAnswer, receiptAnswer } from "../resources/ledger.ts";
import { modelAnswer } from "../resources/models.ts";
import { requestAnswer } from "../resources/requests.ts";
import { usageAnswer } from "../resources/usage.ts";
import { currentPricesAnswer, pricesAnswer, tokensAnswer } from "../schemas/answers.ts";
import { limitsAnswer, spendAnswer } from "../schemas/limits.ts";
import { members } from "../schemas/values.ts";

/** Checks and types that JSON Schema cannot express. The server checks them all the same. */
const conversion = {
  target: "draft-2020-12",
  typeMode: "input",
  ignoreActions: ["check"],
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideSchema: ({ valibotSchema }) => (valibotSchema.type === "custom" ? { type: "object" } : undefined),
} satisfies ConversionConfig;

/** Returns the OpenAPI 3.1 document of routes, made from the schemas that check their requests. */
export function describeApi(routes: readonly ManagementRoute[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:id|\*$/, "{id}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Tollgate management API", version: "1.0.0", license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/manage", description: "The path of the mount" }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: toJsonSchemaDefs(namedSchemas, conversion),
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

function operation(route: ManagementRoute) {
  const { name, role, summary, status, query, body, answer, exports } = route;
  const alternatives = Object.fromEntries(exports.map((type) => [type, { schema: { type: "string" } }]));
  return {
    operationId: name,
    summary,
    description: `Needs the role ${role}.`,
    parameters: [...fixedParameters(route), ...queryParameters(query)],
    ...(body === noBody ? {} : { requestBody: { required: true, content: jsonContent(body) } }),
    responses: {
      [status]: { description: "The answer", content: { ...(answer && jsonContent(answer)), ...alternatives } },
      "4XX": { description: "The request was refused", content: jsonContent(namedSchemas.Error) },
      "5XX": { description: "The gateway or a store failed", content: jsonContent(namedSchemas.Error) },
    },
  };
}

const idParameter = { name: "id", in: "path", required: true, schema: { type: "string" } };
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", pattern: "^[!-~]{1,128}$" },
};

const fixedParameters = ({ path, idempotent }: ManagementRoute) => [
  ...(/:id|\*$/.test(path) ? [idParameter] : []),
  ...(idempotent ? [idempotencyKey] : []),
];

function queryParameters(query: v.ObjectEntries) {
  const { properties = {}, required = [] } = converted(members("the query", query));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

const jsonContent = (schema: v.GenericSchema) => ({ "application/json": { schema: converted(schema) } });

/** Converts a schema; one with a name becomes a reference. */
function converted(schema: v.GenericSchema): JsonSchema {
  const {
    $schema: _schema,
    $defs: _defs,
    ...plain
  } = toJsonSchema(schema, { ...conversion, definitions: namedSchemas });
  return plain;
}

/** The schemas that have a name in OpenAPI, so that generated clients have a type of that name. */
const namedSchemas = {
  Account: accountAnswer.schema,
  Assistant: assistantAnswer.schema,
  Balance: balanceAnswer.schema,
  CurrentPrices: currentPricesAnswer.schema,
  Entry: entryAnswer.schema,
  Error: v.strictObject({
    error: v.object({
      message: v.string(),
      type: v.string(),
      code: v.string(),
      param: v.exactOptional(v.string()),
    }),
  }),
  Key: keyAnswer.schema,
  Limits: limitsAnswer.schema,
  Model: modelAnswer.schema,
  Prices: pricesAnswer.schema,
  Receipt: receiptAnswer.schema,
  Request: requestAnswer.schema,
  Spend: spendAnswer.schema,
  Tokens: tokensAnswer.schema,
  Usage: usageAnswer.schema,
};
