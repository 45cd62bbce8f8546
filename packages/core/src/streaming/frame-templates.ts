import type { JsonObject } from "../wire/json.ts";
import type { ChunkNormalizer } from "./chunk-normalizer.ts";
import type { ScannedEvent, ServerSentEvent } from "./event-scanner.ts";
import type { FrameTemplate, MatchedFrame } from "./frame-template.ts";
import { learnTemplate } from "./learn-template.ts";

const maxTemplates = 4;
const initialLearningBudget = 32;
const budgetPerMatch = 4;

/**
 * The templates of one stream, the one that matched last first. They are dropped when the normalizer would treat their
 * frames differently than before. A stream whose frames never match stops learning.
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

  /** The frame at `start`, if a template fits it. */
  match(bytes: Uint8Array, start: number, end: number): MatchedFrame | undefined {
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

  /** Learns from a frame that no template fitted and that has output. */
  learn(event: ServerSentEvent, frame: JsonObject, scanned: ScannedEvent): void {
    if (!this.#hasBegun) {
      // Many streams have only one such frame before they pause, and a template takes memory for as long as the stream.
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
