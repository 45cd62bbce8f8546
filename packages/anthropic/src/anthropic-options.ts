/** How to reach Anthropic's Messages API, and how to use it. */
export interface AnthropicOptions {
  /** Sent in the header `x-api-key`, and nowhere else. */
  readonly apiKey: string;
  /** The address before `/messages`; "https://api.anthropic.com/v1" when absent. */
  readonly baseURL?: string;
  /** The header `anthropic-version`; "2023-06-01" when absent. */
  readonly version?: string;
  /** Names for the header `anthropic-beta`. */
  readonly betas?: readonly string[];
  /** Further headers of every request, such as "anthropic-workspace-id". */
  readonly headers?: Readonly<Record<string, string>>;
  /** For events and metrics; "anthropic" when absent. */
  readonly name?: string;
  /** The cap on the output, in tokens, of a request that comes without one, since the API demands it; 4,096 when absent. */
  readonly maxTokens?: number;
  /**
   * What `reasoning_effort` becomes. "adaptive", the default, is for Claude 4.6 and later: adaptive thinking and
   * `output_config.effort`. "budget" is for the models before: a share of the cap on the output.
   */
  readonly thinking?: "adaptive" | "budget";
}
