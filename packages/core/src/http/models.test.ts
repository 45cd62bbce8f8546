import { describe, expect, it } from "vitest";
import { anthropicModel, anthropicPage } from "./models.ts";

const entries = ["a", "b", "c", "d", "e"].map((id) => ({ id, created: 1_700_000_000 }));
const page = (query: string) => {
  const { data, ...more } = anthropicPage(entries, { url: `/router/v1/models${query}` });
  return { ids: data.map(({ id }) => id).join(""), ...more };
};

describe("anthropicPage", () => {
  it.each([
    ["", "abcde", false],
    ["?limit=2", "ab", true],
    ["?limit=2&after_id=b", "cd", true],
    ["?limit=2&after_id=d", "e", false],
    ["?limit=2&before_id=d", "bc", true],
    ["?limit=3&before_id=c", "ab", false],
    ["?limit=9&after_id=a&before_id=d", "bc", true],
  ])("returns the page %j", (query, ids, hasMore) => {
    expect(page(query)).toEqual({ ids, has_more: hasMore, first_id: ids[0], last_id: ids.at(-1) });
  });

  it("returns an empty page after the last model", () => {
    expect(page("?after_id=e")).toEqual({ ids: "", has_more: false, first_id: null, last_id: null });
  });

  it.each(["?limit=0", "?limit=1001", "?limit=two", "?after_id=x", "?before_id=x"])("refuses %s", (query) => {
    expect(() => page(query)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});

it("shows the name and the time of a model", () => {
  expect(anthropicModel({ id: "claude", display_name: "Claude", created: 1_700_000_000 })).toEqual({
    type: "model",
    id: "claude",
    display_name: "Claude",
    created_at: "2023-11-14T22:13:20Z",
  });
});
