import type { Endpoint } from "../gateway.ts";

const endpoints: ReadonlyMap<string, { readonly name: "models" | "chat.completions"; readonly method: string }> =
  new Map([
    ["/models", { name: "models", method: "GET" }],
    ["/chat/completions", { name: "chat.completions", method: "POST" }],
  ]);

/** The endpoint at a path inside the mount. HEAD, OPTIONS and unknown paths are the host's. */
export function findEndpoint(method: string, path: string): Endpoint | undefined {
  const found = endpoints.get(path);
  if (found === undefined || method === "HEAD" || method === "OPTIONS") return undefined;
  return found.method === method ? found.name : { allow: found.method };
}

/** The path of a URL inside the mount at `basePath`, or undefined when the URL is elsewhere. */
export function pathInside(basePath: string, url: string): string | undefined {
  const { pathname } = new URL(url);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
}
