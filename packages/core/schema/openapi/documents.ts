import { embeddingsRequest } from "../../src/dialects/embeddings/embeddings-request.ts";
import type { ErrorCode } from "../../src/errors/error-table.ts";
import { namedSchemas } from "../../src/wire/chat-completion-request.ts";
import { isJsonObject, type JsonObject } from "../../src/wire/json.ts";
import { maxEmbeddingInputs } from "../../src/wire/prompt.ts";
import { accountPaths, accountSchemas } from "./account-paths.ts";
import { completionSchemas, embeddingSchemas, errorSchemas, modelSchemas } from "./answer-schemas.ts";
import { definitionOf } from "./json-schema-of.ts";
import { messagesPaths } from "./messages-paths.ts";
import { errorResponses, headerComponents, sessionCodes } from "./responses.ts";
import { routerPaths } from "./router-paths.ts";

/** The requests of completions that have a name in the documents. */
export const requestNames: ReadonlyMap<unknown, string> = new Map(
  Object.entries(namedSchemas).map(([name, schema]): [unknown, string] => [schema, name]),
);

/** The schemas of requests: those of completions are made from the schemas that check them. */
const requestSchemas: JsonObject = {
  ...Object.fromEntries(
    Object.entries(namedSchemas).map(([name, schema]) => [name, definitionOf(schema, requestNames)]),
  ),
  ResponseFormat: withTextFormat(definitionOf(namedSchemas.ResponseFormat, requestNames)),
  EmbeddingsRequest: withInput(definitionOf(embeddingsRequest, requestNames)),
};

/** The default format counts as absent, so the schema does not see it. */
function withTextFormat(schema: JsonObject): JsonObject {
  const text = { type: "object", properties: { type: { const: "text" } }, required: ["type"] };
  return { anyOf: [text, ...(Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [])] };
}

/** The forms of the input are checked in one pass, which the schema does not describe. */
function withInput(schema: JsonObject): JsonObject {
  const text = { type: "string", minLength: 1 };
  const tokens = { type: "array", items: { type: "integer", minimum: 0 }, minItems: 1 };
  const listOf = (items: JsonObject) => ({ type: "array", items, minItems: 1, maxItems: maxEmbeddingInputs });
  const input = { anyOf: [text, listOf(text), tokens, listOf(tokens)] };
  return { ...schema, properties: { ...Object(schema["properties"]), input } };
}

/** The OpenAPI document of the router. */
export const routerDocument = (): JsonObject =>
  document("Tollgate router", "/router/v1", {
    paths: { ...routerPaths, ...messagesPaths, ...accountPaths },
    tags: {
      Models: "The models that a key may use.",
      Completions: "Completions in JSON and as streams.",
      Embeddings: "Vectors of texts.",
      Account: "The balance, the usage and the receipts of the account of a key.",
    },
    schemas: accountSchemas,
    left: sessionCodes,
  });

/** The parts in which documents differ. */
export interface DocumentParts {
  readonly paths: JsonObject;
  readonly tags: Readonly<Record<string, string>>;
  /** Schemas that only this document has. */
  readonly schemas: JsonObject;
  /** Error codes that the endpoints do not answer with. */
  readonly left: readonly ErrorCode[];
}

/** Makes an OpenAPI document, with the components that its paths use. */
export function document(title: string, url: string, { paths, tags, schemas: own, left }: DocumentParts): JsonObject {
  const schemas = {
    ...requestSchemas,
    ...completionSchemas,
    ...embeddingSchemas,
    ...modelSchemas,
    ...own,
    ...errorSchemas,
  };
  return {
    openapi: "3.1.0",
    info: { title, version: "1.0.0", license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ key: [] }],
    paths,
    components: usedOf(paths, {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      schemas,
      responses: errorResponses(left),
      headers: headerComponents,
    }),
  };
}

/** Returns the components that the paths use, directly or through others. */
function usedOf(paths: JsonObject, components: Readonly<Record<string, JsonObject>>): JsonObject {
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(follow);
    if (!isJsonObject(value)) return;
    const { $ref, ...members } = value;
    Object.values(members).forEach(follow);
    if (typeof $ref !== "string" || used.has($ref)) return;
    used.add($ref);
    const [, , kind = "", name = ""] = $ref.split("/");
    const component = components[kind]?.[name];
    if (component === undefined) throw new Error(`There is no component ${$ref}. Add it.`);
    follow(component);
  };
  follow(paths);
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(
        Object.entries(all).filter(([name]) => kind === "securitySchemes" || used.has(`#/components/${kind}/${name}`)),
      ),
    ]),
  );
}
