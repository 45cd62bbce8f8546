/** What a Claude model refuses, in addition to what every model refuses. */
export type ModelLimits = ReturnType<typeof limitsOf>;

/**
 * Returns the limits of a model by its name. A name that is not of Anthropic has none.
 * Follows https://platform.claude.com/docs/en/build-with-claude/thinking and
 * https://platform.claude.com/docs/en/models/fable-5-1/migration-guide
 */
export function limitsOf(model: string) {
  const { family, version } = readName(model);
  const isLargest = family === "fable" || family === "mythos";
  const isNewest = version >= 5.5 && (family === "opus" || family === "sonnet");
  const isAdaptive = isLargest || version >= 4.7;
  const alwaysThinks = isLargest || isNewest;
  return {
    // It refuses `temperature`, `top_p` and `top_k`.
    refusesSampling: isAdaptive,
    // It refuses `temperature` next to `top_p`.
    refusesBothSamplings: version >= 4.1,
    // It refuses a thinking budget, and thinks adaptively.
    refusesBudget: isAdaptive,
    // How it is asked to think least, if it refuses not to think.
    leastThinking: alwaysThinks ? (family === "sonnet" ? "between_tools" : "low_effort") : undefined,
    // It refuses a tool choice that forces a call.
    refusesForcedTools: isNewest || (isLargest && version >= 5.1),
  } as const;
}

/** The version is 0 for names of another form, which the oldest models have. */
function readName(model: string): { readonly family: string; readonly version: number } {
  const [, family = "", major, minor = "0"] = named.exec(model) ?? [];
  return { family, version: major === undefined ? 0 : Number(`${major}.${minor}`) };
}

/** Such as "claude-opus-4-7", "us.anthropic.claude-sonnet-4-5-20250929-v1:0" and "claude-mythos-preview". A date has eight digits. */
const named = /claude-(opus|sonnet|haiku|fable|mythos)(?:-(\d{1,2})(?:[-.](\d{1,2})(?!\d))?(?!\d))?/;
