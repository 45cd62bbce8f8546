import type { Tool } from "../../wire/chat-completion-request.ts";
import type { Json } from "../../wire/json.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { AssistantSettings } from "./assistant-config.ts";
import type { CompiledWebhook } from "./compiled-webhook.ts";

/** Arguments that fit a trigger's schema, less those that it does not declare; or why they do not, for the model to correct. */
export type CheckedArguments =
  | { readonly outcome: "valid"; readonly arguments: Readonly<Record<string, Json>> }
  | { readonly outcome: "invalid"; readonly problem: string };

/** A trigger as turns use it: read, compiled and checked. */
export interface Trigger {
  readonly name: string;
  readonly tool: Tool;
  /** Undefined when there is none or it is not to be told. */
  readonly directive: string | undefined;
  /** The properties that its schema declares. */
  readonly properties: readonly string[];
  readonly webhook: CompiledWebhook;
  /** The value of the secret that signs its calls. */
  readonly signingSecret: string | undefined;
  /** Checks the JSON text that a model wrote. Nothing is coerced. */
  checkArguments(text: string): CheckedArguments;
}

/** An assistant as turns use it. */
export interface Assistant {
  readonly id: string;
  readonly companyId: string;
  readonly model: string;
  readonly instructions: string | undefined;
  readonly settings: AssistantSettings;
  readonly triggers: ReadonlyMap<string, Trigger>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly redactor: Redactor;
}
