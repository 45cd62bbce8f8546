import { decodeFrames } from "../../streaming/frames.ts";
import { chunkText } from "../../wire/output-text.ts";

/** The text that a stream gave out, kept for a host that counts tokens itself, as long as somebody reads it. */
export class GivenText {
  readonly #frames: Uint8Array[] = [];
  #stoppedAt: number | undefined;

  push(bytes: Uint8Array): void {
    if (this.#stoppedAt === undefined) this.#frames.push(bytes);
  }

  /** Keeps no more: the client has gone, after so many bytes of output. */
  stop(outputBytes: number): void {
    this.#stoppedAt ??= outputBytes;
  }

  /** How many of so many bytes of output came after the end of what is kept. */
  unkept(outputBytes: number): number {
    return outputBytes - (this.#stoppedAt ?? outputBytes);
  }

  text(): string {
    return this.#frames.flatMap(decodeFrames).map(chunkText).join("");
  }
}
