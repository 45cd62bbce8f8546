import { GatewayError } from "@tollgate/core";
import { parseJsonLossless } from "@tollgate/core/extension";
import type { ChatMessage } from "@tollgate/core/provider";
import * as v from "valibot";

/** A message to an assistant. */
export interface TurnMessage {
  readonly userMessage: ChatMessage;
  /** URLs of the images of this message, in order: those of its content, then those of `images`. */
  readonly images: readonly string[];
  /** True when the client asks for a stream. */
  readonly stream: boolean;
}

const maxImages = 100;
const maxParts = 1_000;
const text = v.string("must be a string");

const imageUrl = v.pipe(
  text,
  v.check(isImageUrl, "must be an http or https URL, or a data URL of an image such as data:image/png;base64,..."),
);

const textPart = members("type and text", { type: v.literal("text"), text });

const imagePart = members("type and image_url", {
  type: v.literal("image_url"),
  image_url: members("url and detail", {
    url: imageUrl,
    detail: v.nullish(v.picklist(["auto", "low", "high"], 'must be "auto", "low" or "high"')),
  }),
});

const part = v.variant("type", [textPart, imagePart], 'must be "text" or "image_url"');

const parts = v.pipe(
  v.array(part),
  v.minLength(1, "must have at least one part"),
  v.maxLength(maxParts, `must have at most ${maxParts} parts`),
);

/** The body of POST /session/{id}/messages. */
export const messageSchema = members("content, images and stream", {
  content: v.lazy((input) =>
    Array.isArray(input) ? parts : v.string("must be a string or an array of text and image parts"),
  ),
  images: v.nullish(v.array(imageUrl, "must be an array of URLs")),
  stream: v.nullish(v.boolean("must be true or false")),
});

type Part = v.InferOutput<typeof textPart> | v.InferOutput<typeof imagePart>;

/** Parses and checks `{content, images?, stream?}`. Rejects with a 400 that names the member at fault. */
export async function readMessage(body: Uint8Array): Promise<TurnMessage> {
  const value = await parseJsonLossless(body, { name: "The request body" });
  const result = v.safeParse(messageSchema, value, { abortEarly: true });
  if (!result.success) throw problem(result.issues[0]);
  const { content, images, stream } = result.output;
  const urls = images ?? [];
  const messageImages = [...imageUrlsOf(content), ...urls];
  if (messageImages.length > maxImages) throw tooManyImages(urls.length > 0 ? "images" : "content");
  return { userMessage: toMessage(content, urls), images: messageImages, stream: stream ?? false };
}

/** An object with these members and no others. `names` lists them in the error for an unknown member. */
function members<const Entries extends v.ObjectEntries>(names: string, entries: Entries) {
  return v.strictObject(entries, (issue: v.StrictObjectIssue) =>
    issue.expected === "never" ? `is not a known member. Send only ${names}` : "must be a JSON object",
  );
}

function toMessage(content: string | readonly Part[], images: readonly string[]): ChatMessage {
  if (typeof content === "string" && images.length === 0) return { role: "user", content };
  const contentParts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const imageParts = images.map((url) => ({ type: "image_url" as const, image_url: { url } }));
  return { role: "user", content: [...contentParts, ...imageParts] };
}

function imageUrlsOf(content: string | readonly Part[]): string[] {
  if (typeof content === "string") return [];
  return content.flatMap((each) => (each.type === "image_url" ? [each.image_url.url] : []));
}

const tooManyImages = (param: string): GatewayError =>
  new GatewayError("invalid_request", `A message must have at most ${maxImages} images. Send fewer.`, { param });

function problem(issue: v.BaseIssue<unknown>): GatewayError {
  const param = v.getDotPath(issue);
  const message = issue.received === "undefined" ? `is required. Send ${expectedFor(param)}` : issue.message;
  return param === null
    ? new GatewayError("invalid_request", `The request body ${message}.`)
    : new GatewayError("invalid_request", `\`${param}\` ${message}.`, { param });
}

const expectedFor = (param: string | null): string =>
  param === "content" ? "the user's message as a string or an array of parts" : "it as a string";

const dataUrl = /^data:image\/[a-z0-9][a-z0-9.+-]{0,100}(?:;[a-z0-9=._-]{1,100}){0,5},/i;
const webUrl = /^https?:\/\/[^\s\p{Cc}]+$/iu;
const maxWebUrlLength = 16_384;

/** True for an http or https URL, and for a data URL of an image (RFC 2397). */
export function isImageUrl(url: string): boolean {
  // A data URL may be megabytes long; its media type is at the start.
  if (/^data:/i.test(url)) return dataUrl.test(url.slice(0, 1_024)) && !/[\s\p{Cc}]/u.test(url);
  return url.length <= maxWebUrlLength && webUrl.test(url) && URL.canParse(url);
}
