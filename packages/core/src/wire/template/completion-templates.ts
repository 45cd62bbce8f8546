import type { TextRange } from "../find-model.ts";
import type { CompletionTemplate, Match } from "./completion-template.ts";
import { learnCompletion } from "./learn-completion.ts";

const mostTemplates = 4;
const credit = 32;
const creditOfMatch = 4;

/** The templates of the completions of one target, the one that matched last first. A target whose completions never match stops paying for new ones. */
export class CompletionTemplates {
  readonly #templates: CompletionTemplate[] = [];
  #credit = credit;

  /** What the first template that fits makes of a text. */
  match(text: string): Match | undefined {
    const templates = this.#templates;
    for (let at = 0; at < templates.length; at++) {
      const match = templates[at]?.match(text);
      if (match === undefined) continue;
      if (at > 0) templates.unshift(...templates.splice(at, 1));
      if (this.#credit < credit) this.#credit += creditOfMatch;
      return match;
    }
    return undefined;
  }

  /** Learns from a whole completion that no template fitted; `json` goes in the place of its model's name. */
  learn(text: string, model: TextRange, json: string): void {
    if (this.#credit <= 0) return;
    this.#credit -= 1;
    const template = learnCompletion(text, model, json);
    if (template === undefined) return;
    this.#templates.unshift(template);
    if (this.#templates.length > mostTemplates) this.#templates.pop();
  }
}
