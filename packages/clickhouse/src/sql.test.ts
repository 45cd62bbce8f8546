import { expect, it } from "vitest";
import { equalSql, literal, literals, timeSql } from "./sql.ts";

it("a text cannot end its literal", () => {
  expect(literal("it's")).toBe(String.raw`'it\'s'`);
  expect(literal(String.raw`\' OR 1`)).toBe(String.raw`'\\\' OR 1'`);
  expect(literal("a\0b")).toBe(String.raw`'a\0b'`);
  expect(literals(["a", "b'"])).toBe(String.raw`('a', 'b\'')`);
});

it("a text that is replaced before it is written equals nothing", () => {
  expect(equalSql("end_user", "ann")).toBe("end_user = 'ann'");
  expect(equalSql("end_user", "\ud800")).toBe("0");
});

it("a time is written in UTC with milliseconds", () => {
  expect(timeSql(new Date("2026-11-27T23:59:59.007Z"))).toBe("toDateTime64('2026-11-27 23:59:59.007', 3, 'UTC')");
});
