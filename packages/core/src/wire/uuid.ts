/**
 * A random UUID (RFC 9562, version 4). Node builds the text from twenty pieces, and a map or a waiting request would
 * keep all of them; to look at a character makes it one.
 */
export function uuid(): string {
  const id = crypto.randomUUID();
  id.charCodeAt(0);
  return id;
}
