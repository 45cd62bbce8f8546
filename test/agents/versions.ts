/** The packages of npm that contain the agents and the Node that Claude Code needs. They are not in the lockfile. */
export const agentPackages = {
  "@anthropic-ai/claude-code": "2.1.332",
  "@openai/codex": "0.171.0",
  "opencode-ai": "1.18.33",
  node: `npm:node-${process.platform}-${process.arch}@22.23.3`,
} as const;
