import { expect, it } from "vitest";
import { encodeUtf8 } from "../wire/bytes.ts";
import { AnswerGuard } from "./answer-guard.ts";

const members = { known: new Set(["id", "content", "text", "input", "usage"]), opaque: new Set(["input"]) };
const context = { provider: "up", hidden: ["up.test", "secret-model"], secrets: ["sk-123456", "up.test:80"] };
const guard = (sent = "", models = { public: "public", upstream: "secret-model" }) =>
  new AnswerGuard(members, models, encodeUtf8(sent), context);

it("returns an answer that shows nothing as it is", () => {
  const answer = { id: "a", content: [{ text: "I am secret-model", input: { x: 1 } }], other: ["x"] };
  expect(guard().clean(answer)).toBe(answer);
  expect(guard().suspects(JSON.stringify({ ...answer, content: [] }))).toBe(false);
});

it("leaves out foreign members by their name or value, at any depth of known ones", () => {
  const shown = { id: "a", content: [{ text: "x" }], usage: { n: 1 } };
  const answer = {
    ...shown,
    route: { to: ["http://up.test"] },
    "up.test": 1,
    content: [{ text: "x", served_by: "secret-model" }],
    usage: { n: 1, key: "sk-123456" },
  };
  expect(guard().suspects(JSON.stringify(answer))).toBe(true);
  expect(guard().clean(answer)).toEqual(shown);
});

it("puts the public model id in place of the upstream's at any place", () => {
  expect(
    guard().clean({ model: "x/secret-model", content: [{ model: "secret-model" }, { model: "another" }] }),
  ).toEqual({
    model: "public",
    content: [{ model: "public" }, { model: "another" }],
  });
});

it.each([
  { content: [{ text: "It is sk-123456." }] },
  { content: ["http://up.test:80/v1"] },
  { content: [{ input: { path: "up.test:80" } }] },
])("refuses a secret in a known member: %j", (answer) => {
  expect(() => guard().clean(answer)).toThrow("up sent its API key or its address");
});

it("passes what the request contains, and members that names of the client may have", () => {
  const answer = { content: [{ text: "up.test:80", input: { "secret-model": "secret-model" } }] };
  expect(guard("Ask up.test:80").clean(answer)).toBe(answer);
  expect(() => guard().clean(answer)).toThrow("address");
});

it("keeps the digits of numbers", () => {
  expect(guard().cleanJson('{"id":1.10,"x":"up.test","content":[12345678901234567890]}')).toBe(
    '{"id":1.10,"content":[12345678901234567890]}',
  );
});
