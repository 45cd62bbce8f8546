const bearer = /^bearer +[!-~]{1,512}$/i;

/** The key of a request, or why there is none. */
export type BearerResult = { readonly key: string } | { readonly problem: "missing" | "malformed" };

/**
 * Reads the value of an Authorization header: the scheme Bearer in any case, and one token of 1 to 512 visible ASCII
 * characters, which is wider than RFC 6750. Several headers, which fetch joins with a comma and a space, are malformed.
 */
export function readBearer(header: string | undefined): BearerResult {
  if (header === undefined || header === "") return { problem: "missing" };
  return bearer.test(header) ? { key: header.slice("bearer ".length).trimStart() } : { problem: "malformed" };
}
