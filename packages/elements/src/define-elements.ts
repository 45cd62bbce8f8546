import { balance } from "./balance.ts";
import { buy } from "./buy.ts";
import { defineElement } from "./element.ts";
import { keys } from "./keys.ts";
import { type ElementTexts, englishTexts } from "./texts.ts";
import { usage } from "./usage.ts";

/**
 * Defines `<tollgate-balance>`, `<tollgate-usage>`, `<tollgate-keys>` and `<tollgate-buy>` in this page, unless their names are
 * taken. `texts` replaces the English ones.
 *
 * @example
 * defineElements();
 * document.querySelector("tollgate-balance").token = async () => (await fetch("/token")).text();
 */
export function defineElements({ texts = {} }: { readonly texts?: Partial<ElementTexts> } = {}): void {
  const used = { ...englishTexts, ...texts };
  for (const [name, definition] of Object.entries({ balance, usage, keys, buy })) {
    defineElement(`tollgate-${name}`, definition, used);
  }
}
