import type { JsonObject } from "@tollgate/core/provider";

/** True for what JSON calls an object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
