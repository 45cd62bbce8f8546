import type { ClientRequest } from "../ports/client-request.ts";

/** The URL that a client asked for; its host means nothing where the client wrote only path and query. */
export function requestUrl({ url }: ClientRequest): URL {
  return new URL(url.startsWith("/") ? `http://localhost${url}` : url);
}
