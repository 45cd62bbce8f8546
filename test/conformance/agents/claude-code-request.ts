import type { AgentRequest } from "./codex-request.ts";

const session = "b1f0a2c4-5d6e-4f70-8a91-0c1d2e3f4a5b";

/** The betas that Claude Code 2.1 sends with every request. */
export const claudeCodeBetas = [
  "claude-code-20250219",
  "interleaved-thinking-2025-05-14",
  "context-management-2025-06-27",
  "prompt-caching-scope-2026-01-05",
  "effort-2025-11-24",
  "extended-cache-ttl-2025-04-11",
];

/**
 * A request of Claude Code 2.1 in the middle of a session, composed from public descriptions: 200 KB, of which most is
 * cached, and 100 tools. Follows https://code.claude.com/docs/en/llm-gateway
 */
export const claudeCodeRequest = (model: string): AgentRequest => ({
  path: "/v1/messages?beta=true",
  headers: {
    accept: "application/json",
    "user-agent": "claude-cli/2.1.185 (external, cli)",
    "anthropic-version": "2023-06-01",
    "anthropic-beta": claudeCodeBetas.join(","),
    "anthropic-dangerous-direct-browser-access": "true",
    "x-app": "cli",
    "x-claude-code-session-id": session,
    "x-stainless-lang": "js",
    "x-stainless-package-version": "0.94.0",
    "x-stainless-retry-count": "0",
    "x-stainless-runtime": "node",
    "x-stainless-timeout": "600",
  },
  body: {
    model,
    max_tokens: 32_000,
    stream: true,
    ...prompt,
    metadata: { user_id: JSON.stringify({ device_id: "d".repeat(64), account_uuid: "", session_id: session }) },
    thinking: { type: "adaptive" },
    output_config: { effort: "high" },
    context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
  },
});

/** The request by which Claude Code counts the tokens of the same prompt. */
export function claudeCodeCountRequest(model: string): AgentRequest {
  const { headers } = claudeCodeRequest(model);
  return { path: "/v1/messages/count_tokens?beta=true", headers, body: { model, ...prompt } };
}

/** The request with which Claude Code checks whether it has a quota. */
export function claudeCodeQuotaRequest(model: string): AgentRequest {
  const { headers, path, body } = claudeCodeRequest(model);
  const { metadata } = body;
  return { path, headers, body: { model, max_tokens: 1, messages: [{ role: "user", content: "quota" }], metadata } };
}

function tool(index: number) {
  return {
    name: index < 20 ? `Tool${index}` : `mcp__server__tool_${index}`,
    description: `Tool ${index}. ${"Use it with care. ".repeat(20)}`,
    input_schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "number", exclusiveMinimum: 0 } },
      required: ["path"],
      additionalProperties: false,
    },
  };
}

const text = (value: string, cached = false) => ({
  type: "text",
  text: value,
  ...(cached ? { cache_control: { type: "ephemeral" } } : {}),
});

const prompt = {
  system: [
    text("x-anthropic-billing-header: cc_version=2.1.185; cc_entrypoint=cli;"),
    text("You are Claude Code, Anthropic's official CLI for Claude.", true),
    text("Follow the conventions of the code. ".repeat(1_000), true),
  ],
  messages: [
    {
      role: "user",
      content: [
        text(`<system-reminder>\n${"Read CLAUDE.md. ".repeat(1_000)}\n</system-reminder>`),
        text("Fix the bug."),
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "I should read the file first.", signature: "c2lnbmF0dXJl" },
        text("I will read it."),
        {
          type: "tool_use",
          id: "toolu_01A",
          name: "Tool0",
          input: { path: "/srv/app/main.ts" },
          caller: { type: "direct" },
        },
        { type: "tool_use", id: "toolu_01B", name: "Tool1", input: { path: "/srv/app" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_01A", content: "const answer = 42; ".repeat(5_000) },
        { type: "tool_result", tool_use_id: "toolu_01B", is_error: true, content: [text("No such folder.")] },
        text("<system-reminder>Do not mention this.</system-reminder>", true),
      ],
    },
  ],
  tools: Array.from({ length: 100 }, (_, index) => tool(index)),
};
