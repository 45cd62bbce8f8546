/** A request as a coding agent sends it. */
export interface AgentRequest {
  readonly path: string;
  /** Headers without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const session = "0199f0a2-6c11-7d40-9f5e-2b7c5f3a9d10";
const turn = "0199f0a2-7e02-7c13-8a4b-6f1d2e3c4b5a";

/**
 * A first request of Codex 0.169, `codex exec` with `wire_api = "responses"`: the structure of a recorded request with texts
 * of the same length. Follows https://github.com/openai/codex/blob/main/codex-rs/codex-api/src/common.rs
 */
export const codexRequest = (model: string): AgentRequest => ({
  path: "/v1/responses",
  headers: {
    accept: "text/event-stream",
    "user-agent": "codex_exec/0.169.0 (Ubuntu 24.4.0; x86_64) unknown",
    originator: "codex_exec",
    version: "0.169.0",
    "session-id": session,
    session_id: session,
    "thread-id": session,
    "x-client-request-id": session,
    "x-codex-window-id": `${session}:0`,
    "x-codex-beta-features": "unified_exec",
    "x-codex-turn-metadata": JSON.stringify({ session_id: session, turn_id: turn, workspaces: {}, sandbox: "seccomp" }),
  },
  body: {
    model,
    instructions: paragraph("You are a coding agent in a terminal.", 6_000),
    input: texts.map(([role, text], index) => ({
      type: "message",
      id: `msg_0199f0a26c117d409f5e000${index}`,
      role,
      content: [{ type: "input_text", text }],
    })),
    tools: [...functions.map(functionTool), collaboration, { type: "web_search", external_web_access: false }],
    tool_choice: "auto",
    parallel_tool_calls: true,
    reasoning: { summary: "auto" },
    store: false,
    stream: true,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: session,
    client_metadata: { session_id: session, thread_id: session, turn_id: turn, "x-codex-installation-id": turn },
  },
});

/** The next request of Codex after an answer: the same, with the items of the answer and the results of its calls. */
export function codexNextRequest(model: string, output: readonly Readonly<Record<string, unknown>>[]): AgentRequest {
  const first = codexRequest(model);
  const { input } = first.body;
  const results = output.flatMap(({ type, call_id }) =>
    type === "function_call"
      ? [{ type: "function_call_output", call_id, output: "Chunk ID: 1\nProcess exited with code 0\nOutput:\nhello" }]
      : [],
  );
  return { ...first, body: { ...first.body, input: [...(Array.isArray(input) ? input : []), ...output, ...results] } };
}

const functions = [
  "exec_command",
  "write_stdin",
  "update_plan",
  "request_user_input",
  "view_image",
  "list_mcp_resources",
  "read_mcp_resource",
];

const functionTool = (name: string) => ({
  type: "function",
  name,
  description: paragraph(`Runs ${name}.`, 400),
  strict: false,
  parameters: {
    type: "object",
    properties: { cmd: { type: "string", description: "What to run." }, yield_time_ms: { type: "number" } },
    required: ["cmd"],
    additionalProperties: false,
  },
});

const collaboration = {
  type: "namespace",
  name: "collaboration",
  description: "Works with other agents.",
  tools: ["spawn_agent", "send_message", "wait_agent"].map(functionTool),
};

const texts = [
  ["developer", paragraph("# Permissions\nThe sandbox is read-only.", 17_000)],
  ["developer", paragraph("# Skills", 4_000)],
  ["user", paragraph("# AGENTS.md instructions", 3_000)],
  ["user", "<environment_context>\n  <cwd>/srv/app</cwd>\n  <shell>bash</shell>\n</environment_context>"],
  ["developer", "<collaboration_mode>default</collaboration_mode>"],
  ["user", "Say hello."],
] as const;

function paragraph(start: string, length: number): string {
  return `${start}\n${"Prefer small, reviewable changes. ".repeat(Math.ceil(length / 34))}`.slice(0, length);
}
