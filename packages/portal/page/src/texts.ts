import { setTexts } from "@tollgate/page-kit/texts.ts";
import { englishTexts } from "../../src/texts.ts";
import type { GivenTexts } from "../../src/texts-option.ts";

/** The texts of the page. */
export const texts = englishTexts;

/** Takes the texts of the host. Called once, before anything is rendered. */
export function takeTexts(given: GivenTexts): void {
  for (const [name, group] of Object.entries(texts)) {
    Object.assign(group, Object.entries(given).find(([key]) => key === name)?.[1]);
  }
  setTexts(texts);
}
