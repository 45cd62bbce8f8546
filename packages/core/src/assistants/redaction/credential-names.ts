/** Parts of names that say it anywhere. */
const telling = /token|secret|passw|pwd|signature|credential|authori[sz]|api[^a-z]?key|oauth|cookie|key$/;
/** Words that say it alone: `key`, but not `keyword`. */
const words = /(?:^|[^a-z])(?:keys?|sig|code|auth|pass|jwt|hmac)(?:[^a-z]|$)/;

/** True for the name of a header or a query that is likely to have a credential as its value: `X-Api-Key`, `sig`. */
export function isCredentialName(name: string): boolean {
  const plain = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, "_").toLowerCase();
  return telling.test(plain) || words.test(plain);
}
