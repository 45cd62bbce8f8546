import { expect, it } from "vitest";
import { renderTable } from "./table.ts";

const columns = [
  { title: "ID" },
  { title: "AMOUNT", right: true },
  { title: "ACCOUNT", truncates: true },
  { title: "NAME", truncates: true },
];

it("columns are aligned with their titles, and numbers are right-aligned", () => {
  const rows = [
    ["1", "12.5", "acme", "CI"],
    ["22", "7", "日本 🦀", ""],
  ];
  expect(renderTable(columns, rows)).toBe(
    ["ID  AMOUNT  ACCOUNT  NAME", "1     12.5  acme     CI", "22       7  日本 🦀", ""].join("\n"),
  );
});

it("the widest truncatable column is truncated first, down to eight characters", () => {
  const rows = [["1", "12.5", "a".repeat(30), "n".repeat(10)]];
  const lastLine = (width: number) => renderTable(columns, rows, width).split("\n")[1];
  expect(lastLine(45)).toBe(`1     12.5  ${"a".repeat(20)}…  ${"n".repeat(10)}`);
  expect(lastLine(30)).toBe(`1     12.5  ${"a".repeat(7)}…  ${"n".repeat(7)}…`);
  expect(lastLine(10)).toBe(lastLine(30));
});

it("a table with 200,000 rows is rendered", () => {
  const rows = Array.from({ length: 200_000 }, (_, at) => [String(at), "1", "a", "b"]);
  expect(renderTable(columns, rows).split("\n")).toHaveLength(200_002);
});
