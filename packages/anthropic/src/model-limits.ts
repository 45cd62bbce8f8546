/** What a Claude model refuses, in addition to what every model refuses. */
export interface ModelLimits {
  /** The model refuses `temperature`, `top_p` and `top_k`. */
  readonly refusesSampling: boolean;
  /** The model refuses `temperature` next to `top_p`. */
  readonly refusesBothSamplings: boolean;
  /** The model refuses a thinking budget, and thinks adaptively. */
  readonly refusesBudget: boolean;
  /** How the model is asked to think least, if it refuses not to think. */
  readonly leastThinking: "between_tools" | "low_effort" | undefined;
  /** The model refuses a tool choice that forces a call. */
  readonly refusesForcedTools: boolean;
}

/**
 * Returns the limits of a model by its name. A name that is not of Anthropic has none.
 * Follows https://platform.claude.com/docs/en/build-with-claude/thinking and
 * https://platform.claude.com/docs/en/models/fable-5-1/migration-guide
 */
export function limitsOf(model: string): ModelLimits {
  const { family, version } = readName(model);
  const isLargest = family === "fable" || family === "mythos";
  const isNewest = version >= 5.5 && (family === "opus" || family === "sonnet");
  const isAdaptive = isLargest || version >= 4.7;
  const alwaysThinks = isLargest || isNewest;
  return {
    refusesSampling: isAdaptive,
    refusesBothSamplings: version >= 4.1,
    refusesBudget: isAdaptive,
    leastThinking: alwaysThinks ? (family === "sonnet" ? "between_tools" : "low_effort") : undefined,
    refusesForcedTools: isNewest || (isLargest && version >= 5.1),
  };
}

/** The version is 0 for names of another form, which the oldest models have. */
function readName(model: string): { readonly family: string; readonly version: number } {
  const [, family = "", major, minor = "0"] = named.exec(model) ?? [];
  return { family, version: major === undefined ? 0 : Number(`${major}.${minor}`) };
}

/** Such as "claude-opus-4-7", "us.anthropic.claude-sonnet-4-5-20250929-v1:0" and "claude-mythos-preview". A date has eight digits. */
const named = /claude-(opus|sonnet|haiku|fable|mythos)(?:-(\d{1,2})(?:[-.](\d{1,2})(?!\d))?(?!\d))?/;
