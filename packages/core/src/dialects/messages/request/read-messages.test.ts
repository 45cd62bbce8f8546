import { expect, it } from "vitest";
import { readMessagesRequest } from "./messages-schema.ts";
import { promptOfMessages } from "./read-messages.ts";

it("counts images and files at any depth, whose data is not read as text", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
  const pdf = { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBE" } };
  const text = { type: "document", source: { type: "text", media_type: "text/plain", data: "Plain." } };
  const inside = { type: "document", source: { type: "content", content: [image] } };
  const result = { type: "tool_result", tool_use_id: "toolu_01", content: [image, pdf] };
  const messages = [{ role: "user", content: [image, text, inside, result] }];
  const read = readMessagesRequest({ model: "m", max_tokens: 1, system: "Be brief.", messages }, false);
  if ("problem" in read) throw new Error(JSON.stringify(read.problem));
  const prompt = promptOfMessages(read.request);
  expect(prompt.images).toEqual({ count: 3, addressLength: 3 * "iVBORw0KGgo=".length });
  expect(prompt.unknown).toEqual({ count: 1, textLength: "JVBE".length });
  expect(prompt.messages.map(({ role }) => role)).toEqual(["system", "user"]);
  expect(prompt.messages[1]?.content).toContainEqual({
    type: "image_url",
    image_url: { url: "data:image/png;base64,iVBORw0KGgo=" },
  });
});
