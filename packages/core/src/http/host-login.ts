import type { ClientRequest } from "../ports/client-request.ts";
import type { GatewayResponse } from "../ports/gateway-response.ts";

/** The part of a request by which a host decides who makes it. A Fetch Request has these members too. */
export interface HostRequest {
  readonly method: string;
  /** The URL, or its path and query, with the prefix of the mount. */
  readonly url: string;
  readonly headers: Pick<Headers, "get" | "has">;
  /** Undefined if it is unknown or may be that of a proxy. */
  readonly clientAddress?: string | undefined;
}

/** Returns the part of a request by which a host decides who makes it. */
export function hostRequest(request: ClientRequest): HostRequest {
  const get = (name: string): string | null => request.header(name.toLowerCase()) ?? null;
  const { method, url, clientAddress } = request;
  return { method, url, clientAddress, headers: { get, has: (name) => get(name) !== null } };
}

/** True for a Response. The host may have a class of its own, such as that of another fetch implementation. */
export const isHostResponse = (answer: unknown): answer is Response =>
  answer instanceof Response ||
  (typeof answer === "object" && answer !== null && "status" in answer && "headers" in answer);

/** Returns the response of a host, such as a redirect to its login, in the form of the gateway. */
export async function toGatewayResponse(response: Response): Promise<GatewayResponse> {
  // The headers of a GatewayResponse are a record, and cookies cannot be joined with a comma.
  if (response.headers.getSetCookie().length > 1) {
    throw new TypeError(
      "`authorize` returned a Response with several Set-Cookie headers. Return one with at most one.",
    );
  }
  const text = await response.text();
  const { "content-length": _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: text === "" ? null : text };
}
