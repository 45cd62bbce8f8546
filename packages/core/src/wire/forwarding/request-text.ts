import type { ChatCompletionRequest } from "../chat-completion-request.ts";
import type { JsonMember } from "../json-members.ts";
import { decodeUtf8 } from "../utf8.ts";
import { type Cut, gapsOf } from "./cut.ts";
import { rewriteRequest } from "./rewrite-request.ts";
import { shortcuts } from "./shortcuts.ts";
import { type MemberChange, spliceMembers } from "./splice-members.ts";

/** Where the members of a text and what may be cut from it stand. */
export interface TextParts {
  readonly members: readonly JsonMember[];
  readonly cuts: readonly Cut[];
}

/** What an upstream needs changed in a request: members of the request itself, and which of the cuts inside are made. */
export interface Changes {
  readonly members: readonly MemberChange[];
  readonly isCut: (cut: Cut) => boolean;
}

/** The JSON of a request in UTF-8, of which each upstream is sent all but what has to be changed for it. */
export class RequestText {
  readonly #bytes: Uint8Array;
  readonly #parts: TextParts;
  readonly #whole: ChatCompletionRequest | undefined;

  /** `whole` is the request when it has been parsed. */
  constructor(bytes: Uint8Array, parts: TextParts, whole: ChatCompletionRequest | undefined) {
    this.#bytes = bytes;
    this.#parts = parts;
    this.#whole = whole;
  }

  /** The text with the changes; everything else stays byte for byte. */
  changed({ members, isCut }: Changes): Uint8Array {
    const cuts = this.#cuts(isCut);
    if (!shortcuts.areOn) return rewriteRequest(this.#bytes, members, cuts);
    return spliceMembers(this.#bytes, this.#parts.members, members, gapsOf(cuts));
  }

  /** The same as a value. */
  changedValue(changes: Changes): ChatCompletionRequest {
    const whole = this.#whole;
    if (whole === undefined || this.#cuts(changes.isCut).length > 0) return readRequest(this.changed(changes));
    const changed: ChatCompletionRequest = { ...whole, messages: [...whole.messages] };
    for (const { name, value } of changes.members) {
      if (value === undefined) delete changed[name];
      else changed[name] = value;
    }
    return changed;
  }

  #cuts(isCut: (cut: Cut) => boolean): readonly Cut[] {
    const { cuts } = this.#parts;
    return cuts.length > 0 ? cuts.filter(isCut) : cuts;
  }
}

/** What the schema took stays a request, whatever is changed or cut. */
function readRequest(bytes: Uint8Array): ChatCompletionRequest {
  return JSON.parse(decodeUtf8(bytes) ?? "");
}
