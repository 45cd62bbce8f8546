/**
 * Members that change the cost or the route of a call. They are accepted only if they request nothing, or if every
 * target of the model supports and prices them.
 */
const steering = [
  "api_base",
  "api_key",
  "background",
  "base_url",
  "best_of",
  "cached_content",
  "candidate_count",
  "custom_llm_provider",
  "enable_search",
  "models",
  "num_return_sequences",
  "plugins",
  "prediction",
  "preset",
  "provider",
  "route",
  "search_parameters",
  "service_tier",
  "store",
  "transforms",
  "use_beam_search",
  "web_search_options",
];

/** Members whose value an upstream's library merges into the options of the call, so that it may hold any other member. */
const containers = ["provider_options", "extra_body", "extra_headers", "extra_query", "fallbacks"];

/** Other names for the feature `response_format`. */
export const formatNames = [
  "guided_json",
  "guided_regex",
  "guided_choice",
  "guided_grammar",
  "structured_outputs",
  "json_schema",
] as const;

/** Other names for the feature `reasoning_effort`, in addition to `reasoning` and `thinking`. */
export const thinkingNames = ["enable_thinking", "thinking_budget", "thinking_config"] as const;

/** The names that are inspected at one level of a request. */
export interface LevelNames {
  /** Names that are checked, counted or priced. Each may occur once, in one spelling. */
  readonly checked: readonly string[];
  /** Names that are refused in any spelling, unless they request nothing or are priced. */
  readonly refused: readonly string[];
  /** Names that count as absent if their value is null. */
  readonly nullable?: readonly string[];
  /** A request with one of these names is parsed as a whole. */
  readonly parsed?: readonly string[];
  /** Checked names whose values may hold images or files. If it is given, members of other names may do so too. */
  readonly media?: readonly string[];
}

/** Names that are refused in every object of a request, in any dialect. */
export const nested: readonly string[] = [...steering, ...containers];

/** The names of each level. */
export const levelNames = {
  request: {
    checked: [
      "model",
      "messages",
      "stream",
      "stream_options",
      "temperature",
      "n",
      "max_tokens",
      "max_completion_tokens",
      "tools",
      "tool_choice",
      "reasoning_effort",
      "response_format",
      "functions",
      "reasoning",
      "thinking",
      "text",
      "cache_control",
      ...formatNames,
      ...thinkingNames,
    ],
    // Of a message it names an earlier answer, and of a part it is the content.
    refused: [...nested, "audio"],
  },
  message: {
    checked: ["role", "content", "name", "tool_call_id", "tool_calls", "cache_control"],
    refused: nested,
    nullable: ["name", "tool_call_id", "tool_calls"],
    parsed: ["audio"],
    media: [],
  },
  part: { checked: ["type", "text", "image_url", "content", "cache_control"], refused: nested, media: [] },
  image: { checked: ["url", "detail"], refused: [] },
  call: { checked: ["id", "type", "function", "cache_control"], refused: nested, media: [] },
  called: { checked: ["name", "arguments"], refused: [], media: [] },
  tool: { checked: ["type", "function", "cache_control"], refused: nested },
  function: { checked: ["name", "description", "parameters", "cache_control"], refused: nested },
  toolChoice: { checked: ["type", "function"], refused: nested },
  format: { checked: ["type", "json_schema"], refused: nested },
  streamOptions: { checked: ["include_usage"], refused: nested },
} as const satisfies Readonly<Record<string, LevelNames>>;
