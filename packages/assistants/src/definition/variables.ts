import type { Json } from "@tollgate/core/provider";

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
