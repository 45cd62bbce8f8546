/**
 * Names of attributes. Those of the GenAI conventions are in development: a release of the conventions may rename them.
 * Follows https://github.com/open-telemetry/semantic-conventions-genai
 */
export const attribute = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  requestModel: "gen_ai.request.model",
  stream: "gen_ai.request.stream",
  responseModel: "gen_ai.response.model",
  responseId: "gen_ai.response.id",
  finishReasons: "gen_ai.response.finish_reasons",
  timeToFirstChunk: "gen_ai.response.time_to_first_chunk",
  inputTokens: "gen_ai.usage.input_tokens",
  cacheReadTokens: "gen_ai.usage.cache_read.input_tokens",
  cacheCreationTokens: "gen_ai.usage.cache_creation.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  reasoningTokens: "gen_ai.usage.reasoning.output_tokens",
  tokenType: "gen_ai.token.type",
  conversation: "gen_ai.conversation.id",
  agent: "gen_ai.agent.id",
  tool: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  error: "error.type",
  status: "http.response.status_code",
  requestId: "tollgate.request.id",
  key: "tollgate.key.id",
  account: "tollgate.account.id",
  hold: "tollgate.hold.id",
  dialect: "tollgate.dialect",
  attempts: "tollgate.attempts",
  cost: "tollgate.cost",
  estimated: "tollgate.usage.estimated",
  ending: "tollgate.ending",
  event: "tollgate.event.type",
} as const;

/** Values of {@link attribute} that the conventions define. */
export const value = {
  chat: "chat",
  embeddings: "embeddings",
  turn: "invoke_agent",
  webhook: "execute_tool",
  /** Not of the conventions, which know no attempts. */
  attempt: "attempt",
  inputToken: "input",
  outputToken: "output",
  extension: "extension",
  gemini: "gcp.gemini",
} as const;

/** Names of metrics. */
export const metric = {
  tokens: "gen_ai.client.token.usage",
  duration: "gen_ai.client.operation.duration",
  timeToFirstChunk: "gen_ai.client.operation.time_to_first_chunk",
  turnDuration: "gen_ai.invoke_agent.duration",
  webhookDuration: "gen_ai.execute_tool.duration",
  cost: "tollgate.cost",
  failedAttempts: "tollgate.attempts.failed",
  events: "tollgate.events",
  inFlight: "tollgate.inflight",
  holds: "tollgate.holds",
  settlementsWaiting: "tollgate.settlements.waiting",
  breakerState: "tollgate.breaker.state",
} as const;

/** Upper bounds of histograms of tokens, as the conventions advise. */
export const tokenBuckets = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/** Upper bounds of histograms of durations in seconds, as the conventions advise. */
export const secondBuckets = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
