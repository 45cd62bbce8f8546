import { me } from "./me.ts";

/**
 * Returns the whole URL of the router or of the session endpoints, without a slash at its end. The host may name a path,
 * which is one of the page's own origin. Null if the host names nothing.
 */
export function servedUrl(name: "router_url" | "sessions_url"): string | null {
  const named = me.value?.[name] ?? null;
  return named === null ? null : new URL(named, window.location.href).href.replace(/\/$/, "");
}
