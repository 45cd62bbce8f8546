import type { JsonObject } from "@tollgate/core/provider";

/** Returns true for a JSON object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
