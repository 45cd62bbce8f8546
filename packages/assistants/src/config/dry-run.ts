import {
  callStoreWithTimeout,
  type DryRun,
  type DryRunResult,
  type DryRunSession,
  type ShownWebhook,
  type TargetVerdict,
} from "@tollgate/core/extension";
import { writeLosslessJson } from "@tollgate/core/provider";
import type { ClientData } from "@tollgate/core/store";
import type { Assistant, Trigger } from "../definition/assistant.ts";
import type { RenderedWebhook, VariableSources } from "../definition/compiled-webhook.ts";
import { isCredentialName } from "../redaction/credentials.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { loggedVariable } from "../webhook/call-log.ts";
import type { AssistantServices } from "./assistant-services.ts";

/** Renders the webhook of a trigger and asks the runner about its target. Sends nothing. */
export async function dryRun(services: AssistantServices, run: DryRun): Promise<DryRunResult> {
  const { assistant, trigger } = findTrigger(services, run);
  const { redactor } = assistant;
  const checked = trigger.checkArguments(writeLosslessJson(run.arguments));
  if (checked.outcome === "invalid") {
    return {
      outcome: "refused",
      error: { code: "invalid_arguments", message: redactor.text(checked.problem) },
      variables: [],
    };
  }
  const sources = await sourcesOf(services, assistant, run.session ?? {});
  const rendering = trigger.webhook.render({ ...sources, declared: trigger.properties, arguments: checked.arguments });
  const variables = rendering.variables.map((variable) => loggedVariable(redactor, variable));
  if (rendering.outcome === "refused") {
    const { code, message } = rendering.error;
    return { outcome: "refused", error: { code, message }, variables };
  }
  const target = redactedVerdict(redactor, await services.runner.checkTarget(rendering.request.url));
  return { outcome: "rendered", request: describeWebhook(redactor, rendering.request), target, variables };
}

/** The reason may name the host, which may contain a secret. */
const redactedVerdict = (redactor: Redactor, verdict: TargetVerdict): TargetVerdict =>
  verdict.allowed ? verdict : { allowed: false, reason: redactor.text(verdict.reason) };

function findTrigger(
  services: AssistantServices,
  run: DryRun,
): { readonly assistant: Assistant; readonly trigger: Trigger } {
  const assistant = services.assistants.current().get(run.assistant);
  if (assistant === undefined) {
    throw new Error(`There is no assistant "${run.assistant}". Name one that is configured.`);
  }
  const trigger = assistant.triggers.get(run.trigger);
  if (trigger !== undefined) return { assistant, trigger };
  throw new Error(`Assistant "${run.assistant}" has no trigger "${run.trigger}". Name one of its triggers.`);
}

async function sourcesOf(
  services: AssistantServices,
  assistant: Assistant,
  session: DryRunSession,
): Promise<Omit<VariableSources, "arguments" | "declared">> {
  const { id, clientData, images } = await readSession(services, session);
  return {
    system: { "session.id": id, "company.id": assistant.companyId, "assistant.id": assistant.id },
    images,
    secrets: assistant.secrets,
    clientData,
  };
}

async function readSession(
  services: AssistantServices,
  session: DryRunSession,
): Promise<{ readonly id: string; readonly clientData: ClientData; readonly images: readonly string[] }> {
  if (session.id === undefined) {
    return { id: hypotheticalSessionId, clientData: session.clientData ?? {}, images: session.images ?? [] };
  }
  const found = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.sessions.find(session),
    (session) => session === undefined || typeof session.id === "string",
  );
  if (found !== undefined) return { id: found.id, clientData: found.clientData, images: session.images ?? [] };
  throw new Error(
    `There is no session ${session.id} of account "${session.account}". Create it first, or pass clientData.`,
  );
}

/** The id in requests of a session that is not stored. */
const hypotheticalSessionId = "00000000-0000-4000-8000-000000000000";

/** Redacts a webhook for a dry run. Headers whose names mark a credential are redacted completely. */
export function describeWebhook(redactor: Redactor, request: RenderedWebhook): ShownWebhook {
  return {
    method: request.method,
    url: redactor.url(request.url),
    headers: request.headers.map(([name, value]) => [
      name,
      isCredentialName(name) ? "[redacted]" : redactor.text(value),
    ]),
    body: request.body === undefined ? null : redactor.text(request.body),
  };
}
