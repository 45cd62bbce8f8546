import type { OfferedModels } from "./offered-models.ts";

const mostNamed = 20;

/** What the host is told of models that are left out, or undefined when none is. */
export function tellLeftOut({ unpriced, unusable }: OfferedModels): Error | undefined {
  const sentences = [...(unpriced.length === 0 ? [] : [tellUnpriced(unpriced)]), ...unusable.slice(0, mostNamed)];
  return sentences.length === 0 ? undefined : new Error(sentences.join("\n"));
}

function tellUnpriced(ids: readonly string[]): string {
  const named = ids.slice(0, mostNamed).map((id) => `"${id}"`);
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : "";
  return `The upstream has models without a price, which are left out: ${named.join(", ")}${more}. Add them to \`prices\`, as "free" if they are, or name in \`allow\` those that you offer.`;
}
