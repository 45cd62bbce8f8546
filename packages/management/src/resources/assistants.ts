import { GatewayError } from "@tollgate/core";
import type { AssistantDescription, DryRunResult, DryRunSession, TriggerDescription } from "@tollgate/core/extension";
import * as v from "valibot";
import type { ManagedGateway, ManagementServices } from "../operations/context.ts";
import { defineOperation } from "../operations/operation.ts";
import { answerFrom } from "../schemas/answer.ts";
import { anyObject } from "../schemas/answers.ts";
import { jsonMembers, members, text } from "../schemas/values.ts";
import { findConversation } from "./conversations.ts";

const headerAnswer = answerFrom<WebhookDescription["headers"][number]>()({
  key: [v.string(), ({ key }) => key],
  value: [v.string(), ({ value }) => value],
});

type WebhookDescription = TriggerDescription["webhook"];

const webhookAnswer = answerFrom<WebhookDescription>()({
  method: [v.string(), ({ method }) => method],
  url: [v.string(), ({ url }) => url],
  headers: [v.array(headerAnswer.schema), ({ headers }) => headers.map(headerAnswer.show)],
  body: [v.unknown(), ({ body }) => body ?? null],
  response_directive: [v.nullable(v.string()), ({ responseDirective }) => responseDirective ?? null],
});

const triggerAnswer = answerFrom<TriggerDescription>()({
  name: [v.string(), ({ name }) => name],
  description: [v.nullable(v.string()), ({ description }) => description ?? null],
  parameters: [anyObject, ({ parameters }) => parameters],
  interpret_response: [v.boolean(), ({ interpretResponse }) => interpretResponse],
  webhook: [webhookAnswer.schema, ({ webhook }) => webhookAnswer.show(webhook)],
});

/** An assistant in answers. It contains no secret. */
export const assistantAnswer = answerFrom<AssistantDescription>()({
  id: [v.string(), ({ id }) => id],
  company_id: [v.string(), ({ companyId }) => companyId],
  model: [v.string(), ({ model }) => model],
  instructions: [v.nullable(v.string()), ({ instructions }) => instructions ?? null],
  triggers: [v.array(triggerAnswer.schema), ({ triggers }) => triggers.map(triggerAnswer.show)],
});

/** GET /assistants: what the host has configured. */
export const listAssistants = defineOperation({
  name: "assistants",
  method: "GET",
  path: "/assistants",
  role: "viewer",
  summary: "The assistants with their triggers, without secrets",
  answer: v.strictObject({ data: v.array(assistantAnswer.schema), next: v.null() }),
  run: async ({ gateway }: ManagementServices) => ({
    data: describedAssistants(gateway).map(assistantAnswer.show),
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
  answer: assistantAnswer.schema,
  run: async ({ gateway }: ManagementServices, { id }) => assistantAnswer.show(findAssistant(gateway, id)),
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

const images = v.array(text, "must be an array of URLs");

/** `id`: a conversation. Without it, the client data and images of one that does not exist. */
const session = members("a session", {
  id: v.exactOptional(text),
  client_data: v.exactOptional(jsonMembers),
  images: v.exactOptional(images),
});

type Rendered = Extract<DryRunResult, { readonly outcome: "rendered" }>;
type Refused = Extract<DryRunResult, { readonly outcome: "refused" }>;

const variableAnswer = answerFrom<DryRunResult["variables"][number]>()({
  name: [v.string(), ({ name }) => name],
  source: [v.string(), ({ source }) => source],
  value: [v.exactOptional(v.unknown()), ({ value }) => value],
});

const renderedRequest = answerFrom<Rendered["request"]>()({
  method: [v.string(), ({ method }) => method],
  url: [v.string(), ({ url }) => url],
  headers: [
    v.array(headerAnswer.schema),
    ({ headers }) => headers.map(([key, value]) => headerAnswer.show({ key, value })),
  ],
  body: [v.nullable(v.string()), ({ body }) => body],
});

const verdictAnswer = answerFrom<Rendered["target"]>()({
  allowed: [v.boolean(), ({ allowed }) => allowed],
  reason: [v.nullable(v.string()), (verdict) => (verdict.allowed ? null : verdict.reason)],
});

const renderedAnswer = answerFrom<Rendered>()({
  outcome: [v.literal("rendered"), ({ outcome }) => outcome],
  request: [renderedRequest.schema, ({ request }) => renderedRequest.show(request)],
  target: [verdictAnswer.schema, ({ target }) => verdictAnswer.show(target)],
  variables: [v.array(variableAnswer.schema), ({ variables }) => variables.map(variableAnswer.show)],
});

const refusalAnswer = answerFrom<Refused["error"]>()({
  code: [v.string(), ({ code }) => code],
  message: [v.string(), ({ message }) => message],
});

const refusedAnswer = answerFrom<Refused>()({
  outcome: [v.literal("refused"), ({ outcome }) => outcome],
  error: [refusalAnswer.schema, ({ error }) => refusalAnswer.show(error)],
  variables: [v.array(variableAnswer.schema), ({ variables }) => variables.map(variableAnswer.show)],
});

/** POST /assistants/{id}/dry-run: renders a webhook without sending it. */
export const dryRunTrigger = defineOperation({
  name: "assistants.dry_run",
  method: "POST",
  path: "/assistants/:id/dry-run",
  role: "operator",
  summary: "Renders the webhook of a trigger and checks its target, without sending it",
  body: members("a dry run", { trigger: text, arguments: jsonMembers, session: v.exactOptional(session) }),
  answer: v.variant("outcome", [renderedAnswer.schema, refusedAnswer.schema]),
  async run(context: ManagementServices, { id, body: { trigger, arguments: args, session } }) {
    const { triggers } = findAssistant(context.gateway, id);
    const { dryRun } = context.gateway;
    if (dryRun === undefined || !triggers.some(({ name }) => name === trigger)) throw unknownTrigger();
    const run = { assistant: id, trigger, arguments: args };
    const result = await dryRun({ ...run, session: await readSession(context, session ?? {}) });
    return result.outcome === "refused" ? refusedAnswer.show(result) : renderedAnswer.show(result);
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
