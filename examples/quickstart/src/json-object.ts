import type { JsonObject } from "@tollgate/core/provider";

export type { JsonObject };

/** True for what JSON calls an object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
