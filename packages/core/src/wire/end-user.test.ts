import { describe, expect, it } from "vitest";
import { endUserOf } from "./end-user.ts";

const parameters = { model: "m" };

describe("endUserOf", () => {
  it.each<[object, string | undefined]>([
    [{ safety_identifier: "a", user: "b" }, "a"],
    [{ safety_identifier: "", user: "b" }, "b"],
    [{ safety_identifier: null, user: "b" }, "b"],
    [{ user: { id: 1 } }, undefined],
    [{}, undefined],
    [{ user: "日🙂" }, "日🙂"],
    [{ user: "a\0b\ud800" }, "a\ufffdb\ufffd"],
  ])("reads %j as %j", (given, expected) => {
    expect(endUserOf({ ...parameters, ...given })).toBe(expected);
  });

  it("cuts a long name without leaving half a character", () => {
    expect(endUserOf({ ...parameters, user: `${"x".repeat(255)}🙂` })).toBe(`${"x".repeat(255)}\ufffd`);
  });
});
