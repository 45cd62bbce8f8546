import { GatewayError } from "@tollgate/core";
import type { AssistantDescription, TriggerDescription } from "@tollgate/core/extension";
import * as v from "valibot";
import { noBody } from "../../routes/read-body.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { anyObject } from "../../schemas/answers.ts";
import type { ManagedGateway } from "../../services.ts";

/** An assistant in answers. It contains no secret. */
export const assistantAnswer = v.strictObject({
  id: v.string(),
  company_id: v.string(),
  model: v.string(),
  instructions: v.nullable(v.string()),
  triggers: v.array(
    v.strictObject({
      name: v.string(),
      description: v.nullable(v.string()),
      parameters: anyObject,
      interpret_response: v.boolean(),
      webhook: v.strictObject({
        method: v.string(),
        url: v.string(),
        headers: v.array(v.strictObject({ key: v.string(), value: v.string() })),
        body: v.unknown(),
        response_directive: v.nullable(v.string()),
      }),
    }),
  ),
});

/** GET /assistants: what the host has configured. */
export const listAssistants = defineRoute({
  name: "assistants",
  method: "GET",
  path: "/assistants",
  role: "viewer",
  summary: "The assistants with their triggers, without secrets",
  query: noQuery,
  body: noBody,
  answer: v.strictObject({ data: v.array(assistantAnswer), next: v.null() }),
  handle: async ({ gateway }) => ({ data: describedAssistants(gateway).map(shownAssistant), next: null }),
});

/** GET /assistants/{id}: one of them. */
export const showAssistant = defineRoute({
  name: "assistants.show",
  method: "GET",
  path: "/assistants/:id",
  role: "viewer",
  summary: "One assistant",
  query: noQuery,
  body: noBody,
  answer: assistantAnswer,
  handle: async ({ gateway }, { id }) => shownAssistant(findAssistant(gateway, id)),
});

/** Returns an assistant. Throws 404 for an unknown id. */
export function findAssistant(gateway: ManagedGateway, id: string): AssistantDescription {
  const found = describedAssistants(gateway).find((assistant) => assistant.id === id);
  if (found !== undefined) return found;
  throw new GatewayError("resource_not_found", "There is no assistant with this id. Use an id of GET /assistants.");
}

function describedAssistants({ describeAssistants }: ManagedGateway): readonly AssistantDescription[] {
  if (describeAssistants !== undefined) return describeAssistants();
  throw new GatewayError("not_configured", "This gateway has no assistants. Pass `assistants` to createGateway().");
}

const shownAssistant = ({ id, companyId, model, instructions, triggers }: AssistantDescription) => ({
  id,
  company_id: companyId,
  model,
  instructions: instructions ?? null,
  triggers: triggers.map(shownTrigger),
});

const shownTrigger = ({ name, description, parameters, interpretResponse, webhook }: TriggerDescription) => ({
  name,
  description: description ?? null,
  parameters,
  interpret_response: interpretResponse,
  webhook: {
    method: webhook.method,
    url: webhook.url,
    headers: webhook.headers.map(({ key, value }) => ({ key, value })),
    body: webhook.body ?? null,
    response_directive: webhook.responseDirective ?? null,
  },
});
