import type { TokenParents, TokenReader } from "./access-token.ts";
import type { AdmittedRequest } from "./admitted-request.ts";
import type { GatewayResponse } from "./gateway-response.ts";
import type { ContextWindow } from "./model-calls.ts";
import type { Mountable, OpenApiDocument } from "./mountable.ts";
import type { Observer } from "./observer.ts";

/**
 * Port: a further part of a gateway, such as the result of `assistants()`. The gateway does not import it, so a host
 * without it does not load its code.
 */
export interface GatewayExtension<Added extends object = object> {
  /** Returns the problems of its options. Each names the option and says what to do. `models` is the option of the gateway. */
  problems(models: unknown): readonly string[];
  /** Returns the members that it adds to the gateway. Called once, and only when there are no problems. */
  attach(host: ExtensionHost): Added;
  /** Origins whose pages may call the gateway, besides those of its option `cors`. Empty if there are problems. */
  readonly origins: readonly string[];
}

/** What a gateway offers its extensions. Their requests run in its limits, and a drain waits for them. */
export interface ExtensionHost {
  /** The time limit of every call of a store, in milliseconds. */
  readonly storeTimeoutMs: number;
  /** Reports an event to the observer of the gateway. */
  readonly observe: Observer;
  /** Returns endpoints that any adapter mounts, with the CORS policy of the gateway. */
  mount(endpoints: ExtensionMount): Mountable;
  /**
   * Accepts tokens in place of keys at all endpoints of the gateway and its extensions. Returns the parent keys of the tokens.
   * Throws a TypeError if another extension does so already.
   */
  acceptTokens(reader: TokenReader): TokenParents;
  /** Returns the context window of a model. Undefined for an unknown model, and for one without a window. */
  contextWindow(model: string): ContextWindow | undefined;
}

/** Endpoints that are mounted together. */
export interface ExtensionMount {
  /** The mount point that `fetch` assumes when no adapter passes one; "" for the root. */
  readonly basePath: string;
  /** The variable of the Mountable in the code of hosts, such as "gateway.sessions", for hints about a wrong mount. */
  readonly variable: string;
  /** Served at /openapi.json without a key. Undefined: it is not served. */
  readonly openapi: OpenApiDocument | undefined;
  readonly endpoints: readonly ExtensionEndpoint[];
}

/** An endpoint of an extension. In its pattern, `:id` matches one segment of the path. */
export interface ExtensionEndpoint {
  /** For events, such as "sessions.create". */
  readonly name: string;
  readonly method: string;
  readonly pattern: string;
  /** True: a token that was made for a session may use it, if `:id` is that session. All other tokens may not. */
  readonly forSessionTokens: boolean;
  /**
   * Answers a request, which counts as running until the answer has ended. `id` is the part of the path that matched `:id`. A
   * GatewayError becomes an error response.
   */
  handle(request: AdmittedRequest, id: string): Promise<GatewayResponse>;
}

/** True for an extension. A host without types may pass any value. */
export const isExtension = (value: unknown): value is GatewayExtension =>
  typeof value === "object" &&
  value !== null &&
  "problems" in value &&
  typeof value.problems === "function" &&
  "attach" in value &&
  typeof value.attach === "function" &&
  "origins" in value &&
  Array.isArray(value.origins);

/** The members that several extensions add. */
export type AddedBy<Extensions extends readonly GatewayExtension[]> = Extensions extends readonly [
  GatewayExtension<infer Added>,
  ...infer Others extends readonly GatewayExtension[],
]
  ? Added & AddedBy<Others>
  : object;
