import { expect } from "vitest";
import { checkMessagesOrder } from "../../support/event-order/messages-order.ts";
import { objectIn, readEvents } from "../../support/event-order/server-sent-events.ts";
import type { Fails } from "../outcome.ts";
import { publicModel } from "../scene.ts";
import { canary } from "../script.ts";
import { type DialectView, prompt, type Shown } from "./view.ts";

const messages = [{ role: "user", content: prompt }];

/** Anthropic's Messages, translated. */
export const messagesView: DialectView = {
  path: "/messages",
  requestBody: (form) =>
    JSON.stringify({ model: publicModel, max_tokens: 1_000, messages, stream: form === "streamed" }),
  checkRequest: (body) => expect(body).toMatchObject({ model: canary.model, messages }),
  checkError({ status, body }, seen) {
    const { type, error, request_id } = JSON.parse(body);
    expect({ status, type: error.type }).toEqual(errorOf(seen));
    expect(type).toBe("error");
    expect(request_id).toMatch(/^req_/);
    expect(error.message).toMatch(/^.{2,}$/);
    if (seen.message !== undefined) expect(error.message).toBe(seen.message);
  },
  checkWhole({ answer, seen, tokens: { prompt: input_tokens, completion: output_tokens } }) {
    expect(JSON.parse(answer.body)).toMatchObject({
      type: "message",
      role: "assistant",
      model: publicModel,
      stop_reason: "end_turn",
      content: [{ type: "text", text: seen.pieces.join("") }],
      usage: { input_tokens, output_tokens },
    });
  },
  checkStream,
};

/** The status and type of a refusal. */
function errorOf({ status, code }: Pick<Fails, "status" | "code">) {
  if (code === "upstream_overloaded") return { status: 529, type: "overloaded_error" };
  if (status === 413) return { status, type: "request_too_large" };
  return { status, type: status < 500 ? "invalid_request_error" : "api_error" };
}

function checkStream({ answer: { body }, seen, tokens }: Shown): void {
  expect(checkMessagesOrder(body)).toBe(seen.kind === "answers" ? "complete" : "error");
  const events = readEvents(body).map(({ data }) => data);
  const deltas = events.flatMap((data) => (data["type"] === "content_block_delta" ? [objectIn(data, "delta")] : []));
  expect(deltas.map(({ text }) => text).join("") === seen.pieces.join("")).toBe(true);
  expect(events[0]).toMatchObject({ message: { model: publicModel } });
  if (seen.kind === "answers") {
    const usage = { input_tokens: tokens.prompt, output_tokens: tokens.completion };
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "end_turn" }, usage });
    return;
  }
  const status = seen.code.startsWith("upstream_") ? 502 : 400;
  expect(events.at(-1)).toMatchObject({ error: { type: errorOf({ status, code: seen.code }).type } });
}
