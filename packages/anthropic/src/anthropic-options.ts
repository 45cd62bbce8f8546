/** Options of `anthropic`. */
export interface AnthropicOptions {
  /** Sent only in the header `x-api-key`. */
  readonly apiKey: string;
  /** The URL before `/messages`; "https://api.anthropic.com/v1" when absent. */
  readonly baseURL?: string;
  /** The header `anthropic-version`; "2023-06-01" when absent. */
  readonly version?: string;
  /** Names for the header `anthropic-beta`. */
  readonly betas?: readonly string[];
  /** Additional headers of every request, such as "anthropic-workspace-id". */
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the provider in events and metrics; "anthropic" when absent. */
  readonly name?: string;
  /**
   * Fields and hosted tools that the host's price covers, although they change what a call costs or where it goes, such as
   * "web_search" or "speed"; none when absent. See `ProviderCapabilities.pricedFields`.
   */
  readonly pricedFields?: readonly string[];
  /** The output cap, in tokens, of a request without one, since the API requires a cap; 4,096 when absent. */
  readonly maxTokens?: number;
  /**
   * How `reasoning_effort` is mapped. "adaptive", the default, is for Claude 4.6 and later: adaptive thinking and
   * `output_config.effort`. "budget" is for earlier models: a thinking budget that is a share of the output cap.
   */
  readonly thinking?: "adaptive" | "budget";
}
