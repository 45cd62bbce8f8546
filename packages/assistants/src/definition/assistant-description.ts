import type { WebhookMethod } from "../../ports/webhook-runner.ts";
import type { Json } from "../../wire/json.ts";

/** A configured trigger for operators. Its webhook is shown with its variables; credentials are `[redacted]`. */
export interface TriggerDescription {
  readonly name: string;
  readonly description?: string;
  /** The JSON Schema of its arguments. */
  readonly parameters: { readonly [key: string]: Json };
  readonly interpretResponse: boolean;
  readonly webhook: {
    readonly method: WebhookMethod;
    readonly url: string;
    readonly headers: readonly { readonly key: string; readonly value: string }[];
    readonly body?: Json;
    readonly responseDirective?: string;
  };
}

/** A configured assistant for operators. It contains no secret. */
export interface AssistantDescription {
  readonly id: string;
  readonly companyId: string;
  /** The public id of its model. */
  readonly model: string;
  readonly instructions?: string;
  readonly triggers: readonly TriggerDescription[];
}
