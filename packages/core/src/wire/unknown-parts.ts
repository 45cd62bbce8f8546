import type { ChatMessage } from "./chat-completion-request.ts";
import { type ContentPart, isImage } from "./images.ts";
import { isJsonObject } from "./json.ts";

/** The parts of a prompt that are neither texts nor images, such as files, audio and video. */
export interface UnknownParts {
  readonly count: number;
  /** UTF-16 units of the data in them, which UTF-8 never has fewer bytes for. */
  readonly textLength: number;
}

/** A prompt of texts and images has this. */
export const noUnknownParts: UnknownParts = { count: 0, textLength: 0 };

/** The unknown parts in the contents of messages. The audio of an earlier answer, which a message may refer to, is one. */
export function unknownPartsOf(messages: readonly ChatMessage[]): UnknownParts {
  let count = 0;
  let textLength = 0;
  for (const message of messages) {
    if (isJsonObject(message["audio"])) count += 1;
    if (!Array.isArray(message.content)) continue;
    for (const part of message.content) {
      if (part["type"] === "text" || isImage(part)) continue;
      count += 1;
      textLength += dataLength(part);
    }
  }
  return count === 0 ? noUnknownParts : { count, textLength };
}

/** APIs put the data of a part into a string of an object of it, such as `file.file_data`. */
function dataLength(part: ContentPart): number {
  let length = 0;
  for (const value of Object.values(part)) {
    if (!isJsonObject(value)) continue;
    for (const inner of Object.values(value)) if (typeof inner === "string") length += inner.length;
  }
  return length;
}
