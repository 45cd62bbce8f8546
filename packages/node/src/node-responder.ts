import type { Mountable } from "@tollgate/core";
import { directResponder } from "./direct/index.ts";
import { fetchResponder } from "./fetch-responder.ts";
import type { MountedRequest, NodeResponder } from "./mounted-request.ts";

/**
 * What carries chat completions between node:http and the gateway: "direct", which makes no Fetch objects, or "fetch",
 * the reference on @whatwg-node/server, which carries every other endpoint in either case.
 */
export type Edge = "direct" | "fetch";

/** The switch between the two edges. */
export interface EdgeOptions {
  /** What carries chat completions. Default: "direct", which costs less; "fetch" rules it out when you look for a fault. */
  readonly edge?: Edge | undefined;
}

/** Joins a gateway to the request and response of node:http. Throws a TypeError for an edge that does not exist. */
export function nodeResponder(gateway: Mountable, { edge = "direct" }: EdgeOptions = {}): NodeResponder {
  const viaFetch = fetchResponder(gateway);
  if (edge === "fetch") return viaFetch;
  if (edge !== "direct")
    throw new TypeError(`The edge ${JSON.stringify(edge)} does not exist. Use "direct" or "fetch".`);
  const direct = directResponder(gateway);
  return (req, res, mounted, fail) => (isCompletion(req, mounted) ? direct : viaFetch)(req, res, mounted, fail);
}

/** Whether a request is for the one endpoint that the direct edge serves. */
export const isCompletion = (
  { method }: { readonly method?: string | undefined },
  { path }: Pick<MountedRequest, "path">,
): boolean => path === "/chat/completions" && method === "POST";
