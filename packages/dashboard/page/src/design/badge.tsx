/** The meaning of a state's colour. */
export type Tone = "good" | "warning" | "bad" | "neutral";

/** A state as a word with a dot in its colour. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
