import { type ExactNumber, isExactNumber } from "./exact-number.ts";

/** A value of JSON (RFC 8259). Only `parseExactJson` makes an {@link ExactNumber}; JSON.parse rounds instead. */
export type Json = string | number | boolean | null | ExactNumber | readonly Json[] | JsonMembers;

/** An object of JSON whose members are values of JSON. */
export type JsonMembers = { readonly [key: string]: Json };

/** An object of JSON that may hold any member; the members that matter are checked where they are read. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for what JSON calls an object. An {@link ExactNumber}, which it cannot tell from one, needs {@link isJsonMembers}. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** True for an object of a value that may hold an {@link ExactNumber}. */
export const isJsonMembers = (value: Json | undefined): value is JsonMembers =>
  isJsonObject(value) && !isExactNumber(value);

/** True for an array of JSON. Array.isArray does not tell a readonly array from an object. */
export const isJsonList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
