import * as v from "valibot";
import { GatewayError } from "../errors/gateway-error.ts";
import { parseJson } from "../steps/parse-json.ts";
import type { WithBody } from "../steps/read-body.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";

/** What a client says to an assistant. */
export interface UserMessage {
  readonly message: ChatMessage;
  /** URLs of its images, in order. */
  readonly images: readonly string[];
  readonly stream: boolean;
}

/** A request whose body is a message to an assistant. */
export interface Asked extends WithBody {
  readonly asked: UserMessage;
}

const mostImages = 100;
const text = v.string("must be a string");

const body = v.strictObject(
  {
    content: text,
    images: v.nullish(
      v.pipe(
        v.array(text, "must be an array of URLs"),
        v.maxLength(mostImages, `must have at most ${mostImages} images`),
      ),
    ),
    stream: v.nullish(v.boolean("must be true or false")),
  },
  (issue) =>
    issue.expected === "never" ? "is not known here. Send content, images and stream only" : "must be a JSON object",
);

/** Reads `{content, images?, stream?}`. */
export function readMessage(withBody: WithBody): Asked {
  const result = v.safeParse(body, parseJson(withBody.body, { name: "The request body" }), { abortEarly: true });
  if (!result.success) throw problem(result.issues[0]);
  const { content, images, stream } = result.output;
  const urls = images ?? [];
  return Object.assign(withBody, {
    asked: { message: toMessage(content, urls), images: urls, stream: stream ?? false },
  });
}

function toMessage(content: string, images: readonly string[]): ChatMessage {
  if (images.length === 0) return { role: "user", content };
  const parts = images.map((url) => ({ type: "image_url" as const, image_url: { url } }));
  return { role: "user", content: [{ type: "text", text: content }, ...parts] };
}

function problem(issue: v.BaseIssue<unknown>): GatewayError {
  const param = v.getDotPath(issue);
  const message = issue.received === "undefined" ? "is required. Send what the user says as a string" : issue.message;
  return param === null
    ? new GatewayError("invalid_request", `The request body ${message}.`)
    : new GatewayError("invalid_request", `\`${param}\` ${message}.`, { param });
}
