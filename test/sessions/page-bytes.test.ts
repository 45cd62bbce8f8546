import { describe, expect, it } from "vitest";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";

const account = "acme";
const maxPageBytes = 4_194_304;

async function setScene() {
  const tested = sessionsUnderTest();
  const secret = await tested.key();
  const { id } = await tested.create(secret);
  const page = async (path: string) => {
    const text = await (await tested.ask(secret, "GET", path)).text();
    return { bytes: Buffer.byteLength(text), ...JSON.parse(text) };
  };
  return { ...tested, secret, ref: { id, account }, page };
}

/** Reads all pages of a list by their cursors. */
async function pagesOf(
  page: (path: string) => Promise<{ next: string | null; bytes: number; data: unknown[] }>,
  path: string,
  cursor: string,
) {
  const pages = [await page(`${path}?limit=100`)];
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next)
    pages.push(await page(`${path}?limit=100&${cursor}=${next}`));
  return pages;
}

describe("a page of a list", () => {
  it("of messages has at maxPageBytes 4 MiB, and a larger message has its own page", async () => {
    const { page, ref, store } = await setScene();
    const sizes = [1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 6_000_000, 10];
    for (const size of sizes) {
      const turnId = crypto.randomUUID();
      await store.beginTurn(ref, { turnId, leaseMs: 60_000, historyLimit: 0 });
      const messages = [{ role: "user" as const, content: "é".repeat(size / 2) }];
      await store.endTurn(ref, { turnId, messages, images: [] });
    }
    const pages = await pagesOf(page, `/session/${ref.id}/messages`, "after");
    expect(pages.map(({ data }) => data.length)).toEqual([4, 1, 1, 1]);
    expect(pages.filter(({ bytes }) => bytes > maxPageBytes).map(({ data }) => data.length)).toEqual([1]);
  });

  it("of logs has at maxPageBytes 4 MiB", async () => {
    const { page, ref, store } = await setScene();
    const log = {
      id: "log",
      session_id: ref.id,
      trigger: "t",
      tool_call_id: "call",
      started_at: "2026-01-02T03:04:05.678Z",
      duration_ms: 1,
      attempts: [],
      request: null,
      response: null,
      variables: [],
      outcome: "not_sent",
      error: null,
      merged_keys: [],
      warnings: ["x".repeat(70_000)],
    } as const;
    for (let at = 0; at < 100; at++) await store.appendLog(ref, log);
    const pages = await pagesOf(page, `/session/${ref.id}/logs`, "before");
    expect(pages.length).toBe(2);
    expect(pages.every(({ bytes }) => bytes <= maxPageBytes)).toBe(true);
    expect(pages.flatMap(({ data }) => data).length).toBe(100);
  });

  it("of sessions has at maxPageBytes 4 MiB", async () => {
    const { create, page, secret } = await setScene();
    for (let at = 0; at < 99; at++) await create(secret, { at, a: "x".repeat(65_000) });
    const pages = await pagesOf(page, "/session", "before");
    expect(pages.length).toBe(2);
    expect(pages.every(({ bytes }) => bytes <= maxPageBytes)).toBe(true);
    expect(pages.flatMap(({ data }) => data).length).toBe(100);
  });
});
