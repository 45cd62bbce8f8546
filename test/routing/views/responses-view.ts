import { expect } from "vitest";
import { checkResponsesOrder } from "../../support/event-order/responses-order.ts";
import { readEvents } from "../../support/event-order/server-sent-events.ts";
import { publicModel } from "../scene.ts";
import { canary } from "../script.ts";
import { type DialectView, prompt, type Shown } from "./view.ts";

/** OpenAI's Responses, translated. */
export const responsesView: DialectView = {
  path: "/responses",
  requestBody: (form) => JSON.stringify({ model: publicModel, input: prompt, stream: form === "streamed" }),
  checkRequest: (body) =>
    expect(body).toMatchObject({ model: canary.model, messages: [{ role: "user", content: expect.anything() }] }),
  checkError({ status, body }, seen) {
    const { error } = JSON.parse(body);
    expect({ status, code: error.code }).toEqual({ status: seen.status, code: seen.code });
    expect(error.message).toMatch(/^.{2,}$/);
    if (seen.message !== undefined) expect(error.message).toBe(seen.message);
  },
  checkWhole: ({ answer: { body }, ...shown }) => expectResponse(JSON.parse(body), shown),
  checkStream({ answer: { body }, ...shown }) {
    const { seen } = shown;
    expect(checkResponsesOrder(body)).toBe(seen.kind === "answers" ? "complete" : "error");
    const events = readEvents(body).map(({ data }) => data);
    const deltas = events.flatMap(({ type, delta }) => (type === "response.output_text.delta" ? [delta] : []));
    expect(deltas.join("") === seen.pieces.join("")).toBe(true);
    const last = events.at(-1)?.["response"];
    if (seen.kind === "answers") expectResponse(last, shown);
    else expect(last).toMatchObject({ model: publicModel, status: "failed", error: { code: codeOf(seen.code) } });
  },
};

/** The codes that a failed response can have in OpenAI's API. */
const codeOf = (code: string): string => (code === "upstream_overloaded" ? "rate_limit_exceeded" : "server_error");

function expectResponse(response: unknown, { seen, tokens }: Omit<Shown, "answer">): void {
  expect(response).toMatchObject({
    object: "response",
    status: "completed",
    model: publicModel,
    output: [{ type: "message", content: [{ type: "output_text", text: seen.pieces.join("") }] }],
    usage: { input_tokens: tokens.prompt, output_tokens: tokens.completion },
  });
}
