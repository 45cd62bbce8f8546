/** A value of JSON (RFC 8259). */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** An object of JSON that may hold any member; the members that matter are checked where they are read. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for what JSON calls an object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
