/**
 * Betas that change the price of a request, where it runs, or whose data it reads, without their dates. They are not sent
 * to targets, with the members and tools that need them, unless the host allows them by the option `messages`.
 * Follows https://platform.claude.com/docs/en/api/beta-headers
 */
export const removedBetas = [
  "advisor-tool",
  "agent-memory",
  "code-execution",
  "compact",
  "context-1m",
  "fallback-credit",
  "fast-mode",
  "files-api",
  "inline-tools",
  "managed-agents",
  "mcp-client",
  "mcp-tunnels",
  "message-batches",
  "message-threads",
  "mid-conversation-tool-changes",
  "server-side-fallback",
  "skills",
  "user-profiles",
  "user-profiles-billing",
] as const;

/** The name of such a beta, without its date. */
export type RemovedBeta = (typeof removedBetas)[number];

/** Returns a beta without its date, such as "context-1m" for "context-1m-2025-08-07". */
export const withoutDate = (beta: string): string => beta.replace(/-\d{4}-\d{2}-\d{2}$/, "");

const beta = /^[\w.-]{1,128}$/;

/** Returns the value of `anthropic-beta` for targets that speak this dialect. Undefined if no beta is left. `allowed` are removed betas that the host allows. */
export function forwardedBetas(header: string | undefined, allowed: ReadonlySet<string>): string | undefined {
  const isRemoved = (name: string) => {
    const known = withoutDate(name.toLowerCase());
    return removedBetas.some((each) => each === known && !allowed.has(each));
  };
  const names = (header ?? "").split(",").map((name) => name.trim());
  const kept = names.filter((name) => beta.test(name) && !isRemoved(name));
  return kept.length === 0 ? undefined : kept.join(",");
}
