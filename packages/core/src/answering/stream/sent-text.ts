import { decodeFrames } from "../../streaming/frames.ts";
import type { ModelApi } from "../model-api.ts";

/** The frames that a stream sent until its client left, for a host that counts tokens itself. */
export class SentText {
  readonly #frames: Uint8Array[] = [];
  readonly #textOf: ModelApi["textOf"];
  #isStopped = false;

  constructor({ textOf }: Pick<ModelApi, "textOf">) {
    this.#textOf = textOf;
  }

  push(frames: Uint8Array): void {
    if (!this.#isStopped) this.#frames.push(frames);
  }

  /** Stops storing frames, because the client has left. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The output of all stored frames as one text. */
  text(): string {
    return this.#frames.flatMap(decodeFrames).map(this.#textOf).join("");
  }
}
