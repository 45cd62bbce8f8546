import { GatewayError } from "@tollgate/core";
import type { AssistantDescription, DryRunResult, DryRunSession, TriggerDescription } from "@tollgate/core/extension";
import * as v from "valibot";
import type { ManagedGateway, ManagementServices } from "../operations/context.ts";
import { defineOperation } from "../operations/operation.ts";
import { anyObject } from "../schemas/answers.ts";
import { jsonMembers, members, text } from "../schemas/values.ts";
import { findConversation } from "./conversations.ts";

const headers = v.array(v.strictObject({ key: v.string(), value: v.string() }));

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
        headers,
        body: v.unknown(),
        response_directive: v.nullable(v.string()),
      }),
    }),
  ),
});

/** GET /assistants: what the host has configured. */
export const listAssistants = defineOperation({
  name: "assistants",
  method: "GET",
  path: "/assistants",
  role: "viewer",
  summary: "The assistants with their triggers, without secrets",
  answer: v.strictObject({ data: v.array(assistantAnswer), next: v.null() }),
  run: async ({ gateway }: ManagementServices) => ({
    data: describedAssistants(gateway).map(shownAssistant),
    next: null,
  }),
});

/** GET /assistants/{id}: one of them. */
export const showAssistant = defineOperation({
  name: "assistants.show",
  method: "GET",
  path: "/assistants/:id",
  role: "viewer",
  summary: "One assistant",
  answer: assistantAnswer,
  run: async ({ gateway }: ManagementServices, { id }) => shownAssistant(findAssistant(gateway, id)),
});

/** Returns an assistant. Throws 404 for an unknown id. */
function findAssistant(gateway: ManagedGateway, id: string): AssistantDescription {
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

const images = v.array(text, "must be an array of URLs");

/** `id`: a conversation. Without it, the client data and images of one that does not exist. */
const session = members("a session", {
  id: v.exactOptional(text),
  client_data: v.exactOptional(jsonMembers),
  images: v.exactOptional(images),
});

const variables = v.array(
  v.strictObject({ name: v.string(), source: v.string(), value: v.exactOptional(v.unknown()) }),
);

/** POST /assistants/{id}/dry-run: renders a webhook without sending it. */
export const dryRunTrigger = defineOperation({
  name: "assistants.dry_run",
  method: "POST",
  path: "/assistants/:id/dry-run",
  role: "operator",
  summary: "Renders the webhook of a trigger and checks its target, without sending it",
  body: members("a dry run", { trigger: text, arguments: jsonMembers, session: v.exactOptional(session) }),
  answer: v.variant("outcome", [
    v.strictObject({
      outcome: v.literal("rendered"),
      request: v.strictObject({
        method: v.string(),
        url: v.string(),
        headers,
        body: v.nullable(v.string()),
      }),
      target: v.strictObject({ allowed: v.boolean(), reason: v.nullable(v.string()) }),
      variables,
    }),
    v.strictObject({
      outcome: v.literal("refused"),
      error: v.strictObject({ code: v.string(), message: v.string() }),
      variables,
    }),
  ]),
  async run(context: ManagementServices, { id, body: { trigger, arguments: args, session } }) {
    const { triggers } = findAssistant(context.gateway, id);
    const { dryRun } = context.gateway;
    if (dryRun === undefined || !triggers.some(({ name }) => name === trigger)) throw unknownTrigger();
    const run = { assistant: id, trigger, arguments: args };
    return shownResult(await dryRun({ ...run, session: await readSession(context, session ?? {}) }));
  },
});

const unknownTrigger = (): GatewayError =>
  new GatewayError("invalid_request", "`trigger` is not a trigger of this assistant. Use a name of its `triggers`.", {
    param: "trigger",
  });

async function readSession(
  context: ManagementServices,
  { id, client_data, images }: v.InferOutput<typeof session>,
): Promise<DryRunSession> {
  const pictures = images === undefined ? {} : { images };
  if (id === undefined) return { ...pictures, ...(client_data === undefined ? {} : { clientData: client_data }) };
  const { account } = await findConversation(context, id);
  return { id, account, ...pictures };
}

function shownResult(result: DryRunResult) {
  const variables = result.variables.map(({ name, source, value }) => ({
    name,
    source,
    ...(value === undefined ? {} : { value }),
  }));
  if (result.outcome === "refused") {
    return { outcome: result.outcome, error: { code: result.error.code, message: result.error.message }, variables };
  }
  const { request, target } = result;
  const headers = request.headers.map(([key, value]) => ({ key, value }));
  const verdict = { allowed: target.allowed, reason: target.allowed ? null : target.reason };
  return { outcome: result.outcome, request: { ...request, headers }, target: verdict, variables };
}
