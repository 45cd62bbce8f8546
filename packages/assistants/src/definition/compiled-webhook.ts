import type { WebhookError, WebhookMethod } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";
import type { VariableSource } from "@tollgate/core/store";

/** A variable that a rendered webhook contains. Each is listed once, in the order of its first use. */
export interface UsedVariable {
  readonly name: string;
  readonly source: VariableSource;
  readonly value: Json;
}

/** A webhook with its variables inserted. It contains secrets, so redact it before it is shown or logged. */
export interface RenderedWebhook {
  readonly method: WebhookMethod;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON; undefined: the request has no body. */
  readonly body: string | undefined;
}

/** The result of rendering. The certainty of its error is always `not_sent`. */
export type Rendering =
  | { readonly outcome: "rendered"; readonly request: RenderedWebhook; readonly variables: readonly UsedVariable[] }
  | { readonly outcome: "refused"; readonly error: WebhookError; readonly variables: readonly UsedVariable[] };

/** A webhook whose templates are parsed. Rendering is pure and never throws. */
export interface CompiledWebhook {
  render(sources: VariableSources): Rendering;
}

/** The values for the variables of one call. Only own properties are read. */
export interface VariableSources {
  /** `session.id`, `company.id`, `assistant.id`. */
  readonly system: Readonly<Record<"session.id" | "company.id" | "assistant.id", string>>;
  /** URLs in order, for `images` and `images[n]`. */
  readonly images: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  /** Properties of the trigger's schema. They are known names, with or without a value. */
  readonly declared: readonly string[];
  /** The model's arguments that the schema declares. */
  readonly arguments: Readonly<Record<string, Json>>;
  readonly clientData: Readonly<Record<string, Json>>;
}
