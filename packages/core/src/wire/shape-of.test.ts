import * as v from "valibot";
import { expect, it } from "vitest";
import { encodeUtf8 } from "./bytes.ts";
import { inspectRequest } from "./forwarding/inspect-request.ts";
import { openObject } from "./open-object.ts";
import { byType } from "./shape-choices.ts";
import { shapeOf } from "./shape-of.ts";
import { flag, number, object, positiveInteger, text } from "./value-schemas.ts";

const inner = openObject({ flag });
const listOf = (item: v.GenericSchema) => v.array(item, "must be an array");
const requestOf = (message: v.GenericSchema) => openObject({ items: listOf(message) }, { scanned: ["items"] });

const message = byType(
  [
    openObject({ type: v.literal("text"), text, count: v.nullish(positiveInteger), size: v.nullish(number) }),
    openObject({ type: v.picklist(["call", "result"]), id: text, of: v.nullish(listOf(inner)), text: v.nullish(text) }),
    openObject({ type: v.literal("file"), data: text }, { isParsed: true }),
    openObject({ type: v.nullish(v.literal("plain")), role: text, data: v.nullish(object) }, { needs: ["name"] }),
  ],
  openObject({ type: text }),
);
const shape = shapeOf(requestOf(message));

const outlineOf = (items: readonly object[]) => {
  const inspection = inspectRequest(encodeUtf8(JSON.stringify({ items })), {}, shape);
  return "exceeded" in inspection ? undefined : inspection.outline?.messages;
};

it("names the type of each object that the schema accepts", () => {
  const items = [
    { type: "text", text: "", size: 1.5, other: 1 },
    { size: null, text: "a", type: "text" },
    { type: "result", id: "a", of: [{ flag: true }], text: null },
    { role: "user", name: "a", data: {} },
    { name: "a", type: "plain", role: "user" },
  ];
  expect(outlineOf(items)).toEqual(["text", "text", "result", "plain", "plain"]);
});

it.each([
  ["a text that is missing", { type: "text" }],
  ["a required text that is null", { type: "text", text: null }],
  ["a value of another kind", { type: "call", id: 1 }],
  ["a whole number, which its first byte does not decide", { type: "text", text: "a", count: 1 }],
  ["an inner object", { type: "call", id: "a", of: [{ flag: "a" }] }],
  ["an element that is no object", { type: "call", id: "a", of: [1] }],
  ["the list of another type", { type: "text", text: "a", of: [] }],
  ["a member of a type that is left to the parser", { type: "text", text: "a", data: "a" }],
  ["a type that is left to the parser", { type: "file", data: "a" }],
  ["another type", { type: "other" }],
  ["a type that is null", { type: null, role: "user", name: "a" }],
  ["a text that only the scan needs", { role: "user", name: "" }],
])("leaves %s to the parser", (_what, item) => {
  expect(outlineOf([item])).toBeUndefined();
});

it("throws for types with different schemas of the same member, and for more names than it has bits", () => {
  const types = [
    openObject({ type: v.literal("a"), in: inner }),
    openObject({ type: v.literal("b"), in: openObject({}) }),
  ];
  expect(() => shapeOf(requestOf(byType(types, object)))).toThrow(
    "Two types of objects have different schemas for in.",
  );
  const reads = Array.from({ length: 32 }, (_, at) => `name${at}`);
  expect(() => shapeOf(openObject({}, { reads }))).toThrow("more than 31 names");
});
