import { decodeFrames } from "../../streaming/frames.ts";
import type { DialectCodec } from "../dialect-codec.ts";

/** The frames that a stream sent until its client left, for a host that counts tokens itself. */
export class SentText {
  readonly #frames: Uint8Array[] = [];
  readonly #textOf: DialectCodec["textOf"];
  #stoppedAt: number | undefined;

  constructor({ textOf }: Pick<DialectCodec, "textOf">) {
    this.#textOf = textOf;
  }

  push(frames: Uint8Array): void {
    if (this.#stoppedAt === undefined) this.#frames.push(frames);
  }

  /** Stops storing frames, because the client has left after `outputBytes` bytes of output. */
  stop(outputBytes: number): void {
    this.#stoppedAt ??= outputBytes;
  }

  /** Returns how many of `outputBytes` bytes of output are not stored. */
  missingBytes(outputBytes: number): number {
    return outputBytes - (this.#stoppedAt ?? outputBytes);
  }

  /** The output of all stored frames as one text. */
  text(): string {
    return this.#frames.flatMap(decodeFrames).map(this.#textOf).join("");
  }
}
