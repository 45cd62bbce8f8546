import type { OfferedModels } from "./offered-models.ts";

const maxNamed = 20;

/** Returns an Error that names the models that are left out, or undefined if there are none. */
export function describeLeftOut({ unpriced, unusable }: OfferedModels): Error | undefined {
  const sentences = [...(unpriced.length === 0 ? [] : [describeUnpriced(unpriced)]), ...unusable.slice(0, maxNamed)];
  return sentences.length === 0 ? undefined : new Error(sentences.join("\n"));
}

function describeUnpriced(ids: readonly string[]): string {
  const named = ids.slice(0, maxNamed).map((id) => `"${id}"`);
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : "";
  return `These models of the upstream have no price and are left out: ${named.join(", ")}${more}. Add them to \`prices\`, or list in \`allow\` the models that you offer.`;
}
