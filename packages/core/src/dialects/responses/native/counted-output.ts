import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { bytesOfOutput, type ModelOutput, readOutput } from "../../../wire/output-text.ts";

/** What an event adds to the output that the events before it have brought. */
export interface AddedOutput {
  readonly bytes: number;
  readonly hasHiddenReasoning: boolean;
}

/**
 * Counts the output in the events of one response. Events repeat what came before: parts, items and the response are sent
 * whole when they are done. Some upstreams send them only then, so of those counts what exceeds the pieces.
 */
export class CountedOutput {
  readonly #imageTokens: number | undefined;
  #part = 0;
  #item = 0;
  #all = 0;

  /** `imageTokens` are the least that an image counts. */
  constructor(imageTokens: number | undefined) {
    this.#imageTokens = imageTokens;
  }

  /** Counts bytes of output that no event before has brought. */
  add(bytes: number): number {
    this.#part += bytes;
    this.#item += bytes;
    this.#all += bytes;
    return bytes;
  }

  /** Counts what an event brings. */
  take(event: JsonObject): AddedOutput {
    const { type, response, item, part } = event;
    if (isJsonObject(response)) return this.#take({ content: response["output"] }, this.#all);
    if (typeof type !== "string") return nothing;
    const isDone = type.endsWith(".done");
    if (isJsonObject(item)) {
      if (!isDone) this.#item = this.#part = 0;
      return this.#take(item, isDone ? this.#item : 0);
    }
    if (isJsonObject(part)) {
      if (!isDone) this.#part = 0;
      return this.#take(part, isDone ? this.#part : 0);
    }
    return this.#take(event, isDone ? this.#part : 0);
  }

  #take(written: JsonObject, counted: number): AddedOutput {
    const output: ModelOutput = readOutput(written);
    const bytes = this.add(Math.max(0, bytesOfOutput(output, this.#imageTokens) - counted));
    return { bytes, hasHiddenReasoning: output.hasHiddenReasoning };
  }
}

const nothing: AddedOutput = { bytes: 0, hasHiddenReasoning: false };
