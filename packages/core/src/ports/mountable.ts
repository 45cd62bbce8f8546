import type { GatewayError } from "../errors/gateway-error.ts";
import type { ClientRequest } from "./client-request.ts";
import type { GatewayResponse, UnreadResponses } from "./gateway-response.ts";

/** The name of an endpoint, or "preflight" for OPTIONS if the gateway has `cors`; or the allowed methods, if the path is known and the method is not. */
export type Endpoint = string | { readonly allow: string };

/** Data about a request that its Fetch Request does not contain. */
export interface HostContext {
  /** The path inside the mount: "/models" if the gateway is mounted at "/router/v1". Absent: the path of the URL without `basePath`. */
  readonly path?: string;
  /** The path of the mount, such as "/router/v1"; "" for the root. Absent: the option `basePath`. */
  readonly basePath?: string;
  /** The body, if a parser of the host has consumed it: parsed JSON, text or bytes. */
  readonly parsedBody?: unknown;
  /** The error with which a parser of the host rejected the body. The client gets it after the checks that precede the body. */
  readonly refusal?: GatewayError;
  /** The client's address, for the limit on failed keys. Do not pass the address of a proxy. */
  readonly clientAddress?: string;
  /**
   * For hosts that stop after the response, such as Workers and serverless functions. It receives each promise of work that
   * continues after the response: `(work) => context.waitUntil(work)`. Absent: the host is assumed to keep running, and the
   * body ends after the settlement, or after 250 ms.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}

/** An OpenAPI document, such as those of `@tollgate/core/openapi`. Follows https://spec.openapis.org/oas/v3.1.0 */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly [member: string]: unknown;
}

/** A request handler that an adapter mounts, with its paths. */
export interface Mountable {
  /** Handles every request as `fetch` does, without the cost of a Fetch Request and Response. The caller must pipe or cancel a streamed body. */
  handle(request: ClientRequest): Promise<GatewayResponse>;
  /** Handles every request. An unknown path gets 404. Never rejects. */
  fetch(request: Request, host?: HostContext): Promise<Response>;
  /** Returns the endpoint at a path inside the mount; undefined: the host handles the request. */
  endpoint(method: string, path: string): Endpoint | undefined;
  /** Limits the memory of responses that clients do not read. For adapters that call `handle`; `fetch` applies it itself. */
  readonly unread: UnreadResponses;
  /** Explains a wrong mount on the console. For adapters. */
  readonly diagnostics: MountDiagnostics;
  /** The paths inside the mount, with `:id` for one segment and `*` for one or more at the end, as in the routers of frameworks. */
  readonly paths: readonly string[];
}

/** A request that the host answered with 404. */
export interface MissedRequest {
  readonly method: string;
  /** The URL, or its path and query, as the client sent it. */
  readonly url: string;
  /** Returns a header by its lower-case name; undefined if it is absent. */
  header(name: string): unknown;
}

/** What adapters tell a Mountable about its mount, so that a wrong one is explained on the console. */
export interface MountDiagnostics {
  /**
   * Describes the mount for warnings. `line` returns the code that mounts the Mountable at a prefix: `name` is the variable,
   * such as "gateway.sessions". `at` is the prefix at which it is mounted now; absent if the adapter does not know it.
   */
  describeMount(line: (prefix: string, name: string) => string, at?: string): void;
  /**
   * Reports that the host answered a request with 404. If it has a key and was for an endpoint that no request has reached
   * yet, prints once with `console.warn` which code would mount the endpoint there. On Node, responses of node:http are
   * reported without this method.
   */
  missed(request: MissedRequest): void;
  /** Prints a text with `console.warn`, once. */
  warn(text: string): void;
}
