import type { JsonMember } from "./json-members.ts";
import { type MemberChange, spliceMembers } from "./splice-members.ts";

/** The JSON of a request, which travels on as it came but for some members. */
export interface RequestText {
  /** Its members are those of a `PlainRequest`: none is null, and none costs anything. */
  readonly isPlain: boolean;
  /** The same in UTF-8 with members changed as `spliceMembers` changes them. */
  changed(changes: readonly MemberChange[]): Uint8Array;
}

/** A text in UTF-8, and where `scanJson` found its members. */
export class ScannedText implements RequestText {
  readonly isPlain = false;
  readonly #bytes: Uint8Array;
  readonly #members: readonly JsonMember[];

  constructor(bytes: Uint8Array, members: readonly JsonMember[]) {
    this.#bytes = bytes;
    this.#members = members;
  }

  changed(changes: readonly MemberChange[]): Uint8Array {
    return spliceMembers(this.#bytes, this.#members, changes);
  }
}
