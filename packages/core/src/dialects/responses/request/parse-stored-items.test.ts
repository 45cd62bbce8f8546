import { describe, expect, it } from "vitest";
import { parseStoredItems } from "./state.ts";

const stored = (items: readonly object[]) =>
  items.map((item, at) => ({ id: `item_${at}`, json: JSON.stringify(item) }));
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

describe("stored items", () => {
  it("are parsed at once if they are few", () => {
    expect(parseStoredItems([{ id: "a", json: '{"a":1}' }], "input")).toEqual([{ a: 1 }]);
  });

  it("are parsed with turns of the event loop between them if they are many", async () => {
    const items = [members(40_000), { text: "x".repeat(200_000) }, ...Array.from({ length: 500 }, () => members(50))];
    let turns = 0;
    const watch = setInterval(() => turns++);
    const parsed = await parseStoredItems(stored(items), "input");
    clearInterval(watch);
    expect(parsed).toEqual(items);
    expect(turns).toBeGreaterThan(5);
  });

  it("of many bodies together are refused above the limits of one body", async () => {
    const numbers = { values: Array.from({ length: 99_990 }, () => 0) };
    const items = stored(Array.from({ length: 11 }, () => numbers));
    const refused = async () => parseStoredItems(items, "previous_response_id");
    await expect(refused()).rejects.toThrow("The stored conversation holds more than 1,000,000 values. Send fewer.");
  });
});
