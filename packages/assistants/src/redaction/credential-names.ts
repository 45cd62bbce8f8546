/** Parts that mark a credential anywhere in a name. */
const parts = /token|secret|passw|pwd|signature|credential|authori[sz]|api[^a-z]?key|oauth|cookie|key$/;
/** Whole words that mark a credential: `key`, but not `keyword`. */
const words = /(?:^|[^a-z])(?:keys?|sig|code|auth|pass|jwt|hmac)(?:[^a-z]|$)/;

/** True for the name of a header or query parameter that is likely to hold a credential, such as `X-Api-Key` or `sig`. */
export function isCredentialName(name: string): boolean {
  const plain = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, "_").toLowerCase();
  return parts.test(plain) || words.test(plain);
}
