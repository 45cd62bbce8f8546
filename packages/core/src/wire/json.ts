import { isLosslessNumber, type LosslessNumber } from "./lossless-number.ts";

/** A JSON value (RFC 8259). Only `parseLosslessJson` creates an {@link LosslessNumber}; JSON.parse rounds instead. */
export type Json = string | number | boolean | null | LosslessNumber | readonly Json[] | JsonMembers;

/** A JSON object whose members are JSON values. */
export type JsonMembers = { readonly [key: string]: Json };

/** Parses a JSON text. Returns undefined if it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON object with unknown members, which are checked where they are read. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for a JSON object. It is also true for an {@link LosslessNumber}, which {@link isJsonMembers} excludes. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** True for a JSON object, and false for an {@link LosslessNumber}. */
export const isJsonMembers = (value: Json | undefined): value is JsonMembers =>
  isJsonObject(value) && !isLosslessNumber(value);

/** True for a JSON array. The type of Array.isArray does not distinguish a readonly array from an object. */
export const isJsonList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** True for a text that is not empty. Upstreams send an empty text for an absent one. */
export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** True for a time in whole Unix seconds after the epoch. */
export const isTime = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0;
