import type { Json } from "../wire/json.ts";
import type { ClientData } from "./client-data.ts";
import type { SessionRef } from "./session-store.ts";
import type { LoggedVariable, WebhookErrorCode } from "./webhook-log.ts";
import type { TargetVerdict, WebhookMethod } from "./webhook-runner.ts";

/** Port: what operators see of the assistants of a gateway. Nothing that it returns has a secret. */
export interface AssistantAdmin {
  /** Returns the configured assistants with their triggers. */
  describeAssistants(): readonly AssistantDescription[];
  /**
   * Renders the webhook of a trigger and checks whether its target is allowed, without sending it. Rejects for an
   * unknown assistant, trigger or session.
   */
  dryRun(run: DryRun): Promise<DryRunResult>;
}

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

/** A stored session, or the client data and images of a hypothetical one. */
export type DryRunSession =
  | (SessionRef & { readonly images?: readonly string[] })
  | { readonly clientData?: ClientData; readonly images?: readonly string[]; readonly id?: never };

/** The trigger to render, with the arguments that a model would send. */
export interface DryRun {
  readonly assistant: string;
  readonly trigger: string;
  readonly arguments: { readonly [name: string]: Json };
  /** Absent: a session without client data and images. */
  readonly session?: DryRunSession;
}

/** The redacted request, and whether the runner would allow its target; or the reason why no request would be sent. */
export type DryRunResult =
  | {
      readonly outcome: "rendered";
      readonly request: ShownWebhook;
      readonly target: TargetVerdict;
      readonly variables: readonly LoggedVariable[];
    }
  | {
      readonly outcome: "refused";
      readonly error: { readonly code: WebhookErrorCode; readonly message: string };
      readonly variables: readonly LoggedVariable[];
    };

/** A redacted webhook. */
export interface ShownWebhook {
  readonly method: WebhookMethod;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null: the request has no body. */
  readonly body: string | null;
}
