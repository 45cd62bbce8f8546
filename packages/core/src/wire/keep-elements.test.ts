import { expect, it } from "vitest";
import { encodeUtf8 } from "./bytes.ts";
import { inspectRequest } from "./forwarding/inspect-request.ts";
import { keepElements } from "./json-members.ts";

it("keeps elements as they were sent", () => {
  const bytes = encodeUtf8('{"a":1,"tools": [ {"x":1.10,"n":[1,2]} , "é" ,12345678901234567890,[]]}');
  const inspection = inspectRequest(bytes);
  const member = "exceeded" in inspection ? undefined : inspection.members[1];
  if (member === undefined) throw new Error("The text has a second member.");
  const kept = (...indexes: number[]) => keepElements(bytes, member, (index) => indexes.includes(index));
  expect(kept(0, 2)).toBe('[{"x":1.10,"n":[1,2]},12345678901234567890]');
  expect(kept(1, 3)).toBe('["é",[]]');
  expect(kept()).toBe("[]");
});
