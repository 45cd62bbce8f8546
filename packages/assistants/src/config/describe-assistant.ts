import type { AssistantDescription, TriggerDescription } from "@tollgate/core/extension";
import type { AssistantConfig, TriggerConfig, WebhookConfig } from "../definition/assistant-config.ts";
import { hideBodyCredentials, isCredential } from "../redaction/credentials.ts";
import type { Redactor } from "../redaction/redactor.ts";

/** Describes an assistant for operators, with its secrets and everything that looks like a credential redacted. */
export function describeAssistant(config: AssistantConfig, redactor: Redactor): AssistantDescription {
  const { id, companyId, model, instructions, triggers = [] } = config;
  return {
    id,
    companyId,
    model,
    ...(instructions === undefined ? {} : { instructions: redactor.text(instructions) }),
    triggers: triggers.map((trigger) => describeTrigger(trigger, redactor)),
  };
}

function describeTrigger(config: TriggerConfig, redactor: Redactor): TriggerDescription {
  const { name, description, parameters, interpretResponse, InterpretResponse, webhook } = config;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: structuredClone(parameters),
    interpretResponse: interpretResponse ?? InterpretResponse ?? true,
    webhook: describeWebhookConfig(webhook, redactor),
  };
}

function describeWebhookConfig(webhook: WebhookConfig, redactor: Redactor): TriggerDescription["webhook"] {
  const { method, url, headers = [], body, responseDirective } = webhook;
  return {
    method,
    url: redactor.url(url),
    headers: headers.map(({ key, value }) => ({ key, value: describeHeader(key, value, redactor) })),
    ...(body === undefined ? {} : { body: redactor.json(hideBodyCredentials(body, mark)) }),
    ...(responseDirective === undefined ? {} : { responseDirective: redactor.text(responseDirective) }),
  };
}

const mark = "[redacted]";

const describeHeader = (name: string, value: string, redactor: Redactor): string =>
  isCredential(name, value) ? mark : redactor.text(value);
