import { decodeFrames } from "../../streaming/frames.ts";
import { chunkText } from "../../wire/output-text.ts";

/** The frames that a stream has sent, kept for a host that counts tokens itself, until the client leaves. */
export class SentText {
  readonly #frames: Uint8Array[] = [];
  #stoppedAt: number | undefined;

  push(frames: Uint8Array): void {
    if (this.#stoppedAt === undefined) this.#frames.push(frames);
  }

  /** Keeps nothing from now on: the client has left, after so many bytes of output. */
  stop(outputBytes: number): void {
    this.#stoppedAt ??= outputBytes;
  }

  /** How many of so many bytes of output are not kept. */
  missingBytes(outputBytes: number): number {
    return outputBytes - (this.#stoppedAt ?? outputBytes);
  }

  /** The output of all frames that are kept, as one text. */
  text(): string {
    return this.#frames.flatMap(decodeFrames).map(chunkText).join("");
  }
}
