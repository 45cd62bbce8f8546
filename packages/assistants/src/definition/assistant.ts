import type { AssistantDescription } from "@tollgate/core/extension";
import type { Json, Tool } from "@tollgate/core/provider";
import type { Redactor } from "../redaction/redactor.ts";
import type { AssistantSettings } from "./assistant-config.ts";
import type { CompiledWebhook } from "./compiled-webhook.ts";

/** Arguments that match the schema of a trigger, without undeclared ones; or the problem, worded for the model. */
export type CheckedArguments =
  | { readonly outcome: "valid"; readonly arguments: Readonly<Record<string, Json>> }
  | { readonly outcome: "invalid"; readonly problem: string };

/** A trigger, parsed, checked and compiled. */
export interface Trigger {
  readonly name: string;
  readonly tool: Tool;
  /** Undefined when the trigger has none, and when `interpretResponse` is false. */
  readonly directive: string | undefined;
  /** Names of the properties that its schema declares. */
  readonly properties: readonly string[];
  readonly webhook: CompiledWebhook;
  /** The value of the secret that signs its calls; undefined: calls are not signed. */
  readonly signingSecret: string | undefined;
  /** Checks the JSON text of the model's arguments. Types are not coerced. */
  checkArguments(text: string): CheckedArguments;
}

/** An assistant, parsed, checked and compiled. */
export interface Assistant {
  readonly id: string;
  readonly companyId: string;
  readonly model: string;
  readonly instructions: string | undefined;
  readonly settings: AssistantSettings;
  readonly triggers: ReadonlyMap<string, Trigger>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly redactor: Redactor;
  /** For operators. It contains no secret. */
  readonly description: AssistantDescription;
}
