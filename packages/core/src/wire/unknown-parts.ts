import type { ChatMessage } from "./chat-completion-request.ts";
import { type ContentPart, isImage } from "./images.ts";
import { isJsonObject } from "./json.ts";

/** The parts of a prompt that are neither texts nor images, such as files, audio and video. */
export interface UnknownParts {
  readonly count: number;
  /** The UTF-16 length of their data, which is never more than the length in UTF-8. */
  readonly textLength: number;
}

/** The value for a prompt with only texts and images. */
export const noUnknownParts: UnknownParts = { count: 0, textLength: 0 };

/** Returns the unknown parts in the contents of messages. A reference to the audio of an earlier answer counts as one. */
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

/** The data of a part is a string in a nested object, such as `file.file_data`. */
function dataLength(part: ContentPart): number {
  let length = 0;
  for (const value of Object.values(part)) {
    if (!isJsonObject(value)) continue;
    for (const inner of Object.values(value)) if (typeof inner === "string") length += inner.length;
  }
  return length;
}
