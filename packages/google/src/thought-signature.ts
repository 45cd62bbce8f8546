import type { JsonObject } from "@tollgate/core/provider";
import { objectAt, textAt } from "./json.ts";

/**
 * Members of a tool call, message or delta that contain a thought signature. Clients send them back with the history.
 * Google's own chat completions use the same: https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export interface SignatureMembers {
  readonly extra_content?: { readonly google: { readonly thought_signature: string } };
}

/** Returns the members for a signature, or an empty object without one. */
export const signatureMembers = (signature: string | undefined): SignatureMembers =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };

/** Returns the signature in a tool call or message, or undefined. */
export function signatureOf(holder: JsonObject): string | undefined {
  const google = objectAt(objectAt(holder, "extra_content") ?? {}, "google");
  return google === undefined ? undefined : textAt(google, "thought_signature");
}

/** The value that Google accepts for a call without a signature, such as one that another model made. */
export const placeholderSignature = "skip_thought_signature_validator";
