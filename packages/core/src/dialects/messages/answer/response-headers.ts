/**
 * Returns the headers that Anthropic's clients read, made from those of the gateway: the request id, and the state of a
 * limit. `limit` is what a refused request exceeded.
 * Follows https://platform.claude.com/docs/en/api/rate-limits#response-headers
 */
export function anthropicHeaders(
  headers: Readonly<Record<string, string>>,
  limit: unknown = "requests",
): Record<string, string> {
  const { "x-request-id": id, "x-ratelimit-limit": most, "x-ratelimit-remaining": left } = headers;
  const reset = Number(headers["x-ratelimit-reset"]);
  const added: Record<string, string> = id === undefined ? {} : { "request-id": id };
  const hasLimit = most !== undefined && left !== undefined && Number.isFinite(reset);
  if (!hasLimit || (limit !== "requests" && limit !== "tokens")) return added;
  added[`anthropic-ratelimit-${limit}-limit`] = most;
  added[`anthropic-ratelimit-${limit}-remaining`] = left;
  added[`anthropic-ratelimit-${limit}-reset`] = new Date(reset * 1000).toISOString().replace(".000Z", "Z");
  return added;
}
