import type { JsonObject } from "../wire/json.ts";
import type { ChunkNormalizer } from "./chunk-normalizer.ts";
import type { ScannedEvent, ServerSentEvent } from "./event-scanner.ts";
import { type FrameTemplate, learnTemplate } from "./frame-template.ts";

const maxTemplates = 4;
const initialLearningBudget = 32;
const budgetPerMatch = 4;

/**
 * The templates of one stream, ordered by their last match. They are dropped when a new tool call begins, because the
 * normalizer may then treat their frames differently. A stream whose frames rarely match stops learning templates.
 */
export class FrameTemplates {
  readonly #normalizer: ChunkNormalizer;
  #templates: FrameTemplate[] = [];
  #toolCallCount = 0;
  #hasBegun = false;
  #learningBudget = initialLearningBudget;

  constructor(normalizer: ChunkNormalizer) {
    this.#normalizer = normalizer;
  }

  /** Returns the frame at `start`, or undefined if no template matches it. */
  match(bytes: Uint8Array, start: number, end: number): ReturnType<FrameTemplate["match"]> {
    const templates = this.#current();
    for (let at = 0; at < templates.length; at += 1) {
      const template = templates[at];
      const matched = template?.match(bytes, start, end);
      if (template === undefined || matched === undefined) continue;
      if (at > 0) {
        templates.splice(at, 1);
        templates.unshift(template);
      }
      if (this.#learningBudget < initialLearningBudget) this.#learningBudget += budgetPerMatch;
      return matched;
    }
    return undefined;
  }

  /** Learns a template from a frame that has output and that no template matched. */
  learn(event: ServerSentEvent, frame: JsonObject, scanned: ScannedEvent): void {
    if (!this.#hasBegun) {
      // Many streams have only one such frame before they pause, and a template stays in memory until the stream ends.
      this.#hasBegun = true;
      return;
    }
    if (this.#learningBudget <= 0) return;
    this.#learningBudget -= 1;
    const template = learnTemplate(event, frame, scanned, this.#normalizer);
    if (template === undefined) return;
    this.#templates = [template].concat(this.#current()).slice(0, maxTemplates);
  }

  #current(): FrameTemplate[] {
    if (this.#toolCallCount !== this.#normalizer.toolCallCount) {
      this.#toolCallCount = this.#normalizer.toolCallCount;
      this.#templates = [];
    }
    return this.#templates;
  }
}
