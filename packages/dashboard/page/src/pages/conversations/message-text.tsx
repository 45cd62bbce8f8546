import type { Json } from "../../api/common.ts";
import { memberOf } from "../../api/member-of.ts";
import { LongText } from "../../design/long-text.tsx";

/** The content of a message as text, whatever is in it. Images are named, not loaded. */
export function MessageText({ content }: { readonly content: Json }) {
  const text = textOf(content);
  if (text === "") return null;
  return (
    <LongText text={text}>
      {(shown) => (
        <p class="message-text" dir="auto">
          {shown}
        </p>
      )}
    </LongText>
  );
}

/** Returns the text of a string or of content parts. */
function textOf(content: Json): string {
  if (content === null) return "";
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(partText).join("\n");
  return JSON.stringify(content, null, 2);
}

function partText(part: Json): string {
  const text = memberOf(part, "text");
  if (typeof text === "string") return text;
  const image = memberOf(part, "image_url");
  const url = image === undefined ? undefined : memberOf(image, "url");
  return typeof url === "string" ? `[image] ${shortened(url)}` : JSON.stringify(part);
}

const longest = 200;
const shortened = (url: string): string => (url.length > longest ? `${url.slice(0, longest)}…` : url);
