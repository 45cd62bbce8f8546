import type { JsonObject } from "@tollgate/core/provider";
import { objectAt, textAt } from "./json.ts";

/**
 * Members of a tool call, message or delta that carry a thought signature to the client, and back with the history.
 * They are those of Google's own chat completions: https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export interface SignatureMembers {
  readonly extra_content?: { readonly google: { readonly thought_signature: string } };
}

/** The members for a signature; none without one. */
export const signatureMembers = (signature: string | undefined): SignatureMembers =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };

/** The signature that a tool call or message brings back, or undefined. */
export function signatureOf(holder: JsonObject): string | undefined {
  const google = objectAt(objectAt(holder, "extra_content") ?? {}, "google");
  return google === undefined ? undefined : textAt(google, "thought_signature");
}

/** What Google takes in place of a signature for a call that another model made, or that lost its own. */
export const noSignature = "skip_thought_signature_validator";
