import type { WebhookError } from "../../ports/webhook-error.ts";
import type { VariableSource } from "../../ports/webhook-log.ts";
import type { WebhookMethod } from "../../ports/webhook-runner.ts";
import type { Json } from "../../wire/json.ts";
import type { VariableSources } from "./variables.ts";

/** A variable that stands in a rendered webhook, once each, in the order of first use. */
export interface UsedVariable {
  readonly name: string;
  readonly source: VariableSource;
  readonly value: Json;
}

/** A webhook with its variables in it, secrets included: not to be shown before it is redacted. */
export interface RenderedWebhook {
  readonly method: WebhookMethod;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON; undefined: none is sent. */
  readonly body: string | undefined;
}

/** What rendering comes to; an error of it is always `not_sent`. */
export type Rendering =
  | { readonly outcome: "rendered"; readonly request: RenderedWebhook; readonly variables: readonly UsedVariable[] }
  | { readonly outcome: "refused"; readonly error: WebhookError; readonly variables: readonly UsedVariable[] };

/** A webhook whose templates have been read once; rendering is pure and never throws. */
export interface CompiledWebhook {
  render(sources: VariableSources): Rendering;
}
