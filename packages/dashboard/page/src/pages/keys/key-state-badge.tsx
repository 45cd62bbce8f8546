import type { KeyState } from "../../api/keys.ts";
import { Badge, type Tone } from "../../design/badge.tsx";

const states: Readonly<Record<KeyState, readonly [Tone, string]>> = {
  active: ["good", "Active"],
  expired: ["neutral", "Expired"],
  revoked: ["bad", "Revoked"],
};

/** The state of a key. */
export function KeyStateBadge({ state }: { readonly state: KeyState }) {
  const [tone, word] = states[state];
  return <Badge tone={tone}>{word}</Badge>;
}
