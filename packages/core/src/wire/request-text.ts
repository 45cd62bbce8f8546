import { type Cut, gapsOf } from "./cut.ts";
import type { JsonMember } from "./json-members.ts";
import { type MemberChange, spliceMembers } from "./splice-members.ts";

/** Where the members of a text and what may be cut from it stand. */
export interface TextParts {
  readonly members: readonly JsonMember[];
  readonly cuts: readonly Cut[];
}

/** The JSON of a request in UTF-8, which travels on as it came but for some members. */
export class RequestText {
  readonly #bytes: Uint8Array;
  readonly #parts: TextParts;

  constructor(bytes: Uint8Array, parts: TextParts) {
    this.#bytes = bytes;
    this.#parts = parts;
  }

  /** True when some objects inside the request have members that may have to be cut. */
  get hasCuts(): boolean {
    return this.#parts.cuts.length > 0;
  }

  /** What `isCut` chooses of the members inside that may have to be cut. */
  cuts(isCut: (cut: Cut) => boolean): readonly Cut[] {
    return this.hasCuts ? this.#parts.cuts.filter(isCut) : this.#parts.cuts;
  }

  /** The same with members changed as `spliceMembers` changes them, and with these cuts. */
  changed(changes: readonly MemberChange[], cuts: readonly Cut[] = []): Uint8Array {
    return spliceMembers(this.#bytes, this.#parts.members, changes, gapsOf(cuts));
  }
}
