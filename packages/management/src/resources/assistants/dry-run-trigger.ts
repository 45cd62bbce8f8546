import { GatewayError } from "@tollgate/core";
import * as v from "valibot";
import type { DryRunResult, DryRunSession } from "../../managed-gateway.ts";
import { defineOperation } from "../../operations/operation.ts";
import { members } from "../../schemas/members.ts";
import { jsonMembers, text } from "../../schemas/values.ts";
import type { ManagementServices } from "../../services.ts";
import { findConversation } from "../conversations.ts";
import { findAssistant } from "./list-assistants.ts";

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
        headers: v.array(v.strictObject({ key: v.string(), value: v.string() })),
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
