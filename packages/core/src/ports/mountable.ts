import type { GatewayError } from "../errors/gateway-error.ts";
import type { ClientRequest } from "./client-request.ts";
import type { GatewayResponse, UnreadResponses } from "./gateway-response.ts";

/** The name of an endpoint, "preflight" for OPTIONS at one when the gateway has `cors`; for a known path that was asked with another method, the methods that it allows. */
export type Endpoint = string | { readonly allow: string };

/** What a host knows of a request that its Fetch Request does not say. */
export interface HostContext {
  /** The path inside the mount: "/models" when the host mounted the gateway at "/router/v1". Absent: the URL less `basePath`. */
  readonly path?: string;
  /** Where the host mounted the gateway, such as "/router/v1"; "" for the root. Absent: the option `basePath`. */
  readonly basePath?: string;
  /** The body, when a parser of the host has consumed it already: parsed JSON, text or bytes. */
  readonly parsedBody?: unknown;
  /** Why a parser of the host has refused the body; the client gets it once the checks that come before the body have passed. */
  readonly refusal?: GatewayError;
  /** The client's address, for the limit on failed keys; never that of a proxy of the host. */
  readonly clientAddress?: string;
  /**
   * For hosts that freeze after the response, such as Workers and serverless functions: called with each promise of work
   * that goes on behind the answer, such as `(work) => context.waitUntil(work)`. Absent: the host is taken to run on, and
   * an answer's settlement is waited for, up to 250 ms, before its body ends.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}

/** What an adapter mounts: one handler, in two forms, that knows its paths. */
export interface Mountable {
  /** Answers every request as `fetch` does, without the cost of a Fetch Request and Response; the body of what it gives must be piped or cancelled. */
  handle(request: ClientRequest): Promise<GatewayResponse>;
  /** Answers every request; an unknown path gets 404. Never rejects. */
  fetch(request: Request, host?: HostContext): Promise<Response>;
  /** The endpoint at a path inside the mount; undefined: the request is the host's. */
  endpoint(method: string, path: string): Endpoint | undefined;
  /** What an adapter that writes answers itself gives them to, so that those which nobody reads are bounded; `fetch` does so by itself. */
  readonly unread: UnreadResponses;
  /** The paths inside the mount, with `:id` for a segment that varies and `*` for one or more at the end, as the routers of frameworks write them. */
  readonly paths: readonly string[];
}
