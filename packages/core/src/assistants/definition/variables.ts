import type { Json } from "../../wire/json.ts";

/** What a call's variables are taken from. Own properties only. */
export interface VariableSources {
  /** `session.id`, `company.id`, `assistant.id`. */
  readonly system: Readonly<Record<"session.id" | "company.id" | "assistant.id", string>>;
  /** URLs in order; `images` and `images[n]`. */
  readonly images: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  /** Properties of the trigger's schema: names that are known though they may have no value. */
  readonly declared: readonly string[];
  /** Arguments of the model that its schema declares. */
  readonly arguments: Readonly<Record<string, Json>>;
  readonly clientData: Readonly<Record<string, Json>>;
}
