/**
 * Betas that change the price of a request, where it runs, or whose data it reads, without their dates. They are not sent
 * to targets, with the members and tools that need them.
 * Follows https://platform.claude.com/docs/en/api/beta-headers
 */
const removed = [
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
];

const beta = /^[\w.-]{1,128}$/;

/** Returns the value of `anthropic-beta` for targets that speak this dialect. Undefined if no beta is left. */
export function forwardedBetas(header: string | undefined): string | undefined {
  const names = (header ?? "").split(",").map((name) => name.trim());
  const kept = names.filter((name) => beta.test(name) && !removed.includes(name.replace(/-\d{4}-\d{2}-\d{2}$/, "")));
  return kept.length === 0 ? undefined : kept.join(",");
}
