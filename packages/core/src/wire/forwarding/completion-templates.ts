import type { CompletionTemplate, Match } from "./completion-template.ts";
import type { TextRange } from "./find-model.ts";
import { learnCompletion, longestLearned } from "./learn-completion.ts";

const mostTemplates = 4;
/** What may be learned that never matches: one template each. */
const mostCredit = 32;
/** Of an answer that is not learned from for want of credit, so that a target which once could not be learned may be later. */
const smallCredit = 1 / 64;

/**
 * The templates of the completions of one target, the one that matched last first. What is learned must match as often, or
 * only every 64th answer is learned from any more.
 */
export class CompletionTemplates {
  readonly #templates: CompletionTemplate[] = [];
  #credit = mostCredit;
  #hasBegun = false;

  /** What the first template that fits makes of a text. */
  match(text: string): Match | undefined {
    const templates = this.#templates;
    for (let at = 0; at < templates.length; at++) {
      const match = templates[at]?.match(text);
      if (match === undefined) continue;
      if (at > 0) templates.unshift(...templates.splice(at, 1));
      if (this.#credit < mostCredit) this.#credit += 1;
      return match;
    }
    return undefined;
  }

  /** Learns from a whole completion that no template fitted; `json` goes in the place of its model's name. */
  learn(text: string, model: TextRange, json: string): void {
    if (!this.#hasBegun) {
      // A host may give another list of models for each request, whose targets see one answer only.
      this.#hasBegun = true;
    } else if (this.#credit < 1) {
      this.#credit += smallCredit;
    } else if (text.length <= longestLearned) {
      this.#credit -= 1;
      this.#keep(learnCompletion(text, model, json));
    }
  }

  #keep(template: CompletionTemplate | undefined): void {
    if (template === undefined) return;
    this.#templates.unshift(template);
    if (this.#templates.length > mostTemplates) this.#templates.pop();
  }
}
