import { once } from "node:events";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { memoryUsageStore } from "@tollgate/core";
import type { UsageRow, UsageStore } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { withOverrides } from "../contract/failures.ts";
import { memoryStores, setScene, tokens } from "./scene.ts";
import { usageRow } from "./usage-row.ts";

const row = (index: number, members: Partial<UsageRow> = {}): UsageRow =>
  usageRow({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    at: new Date(Date.UTC(2026, 0, 1) + index),
    requestId: `req_${index}`,
    ...members,
  });

describe("an export", () => {
  it("has all 10,000 rows of all pages, as CSV and as JSON Lines", async () => {
    await using scene = await setScene();
    scene.stores.usage.record(Array.from({ length: 10_000 }, (_, index) => row(index)));
    const csv = await scene.ask("GET", "/requests?format=csv&account=acme");
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="requests.csv"');
    const lines = csv.text.split("\r\n");
    expect([lines.length, lines.at(-1)]).toEqual([10_002, ""]);
    expect(lines[0]).toContain('"id","at","request_id","account","key_id"');
    expect(lines[0]).toContain(',"tokens.input","tokens.cached_input",');
    expect(new Set(lines.slice(1, -1).map((line) => line.split(",")[0])).size).toBe(10_000);
    const jsonl = await scene.ask("GET", "/requests?format=jsonl");
    const ids = jsonl.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).request_id);
    expect(ids).toEqual(Array.from({ length: 10_000 }, (_, index) => `req_${9_999 - index}`));
  });

  it("reads no further than the client does, and stops when the client leaves", async () => {
    const stores = memoryStores();
    let pages = 0;
    const endless: UsageStore = Object.assign(memoryUsageStore(), {
      list: () => {
        pages += 1;
        const rows = Array.from({ length: 500 }, (_, index) => row(index, { requestId: "x".repeat(1_000) }));
        return { rows, next: { at: new Date(0), id: "x" } };
      },
    });
    await using scene = await setScene({ stores: { ...stores, usage: endless } });
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${tokens.viewer}`, connection: "close" };
    const response = await fetch(`${scene.url}/requests?format=jsonl`, { headers, signal: leaving.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    await expect
      .poll(async () => [pages, await later(200, () => pages)])
      .toSatisfy(([before, later]) => before === later);
    // A page has about 1 MB, and the buffers of two sockets hold a few.
    expect(pages).toBeLessThan(40);
    leaving.abort();
    const last = pages;
    expect(await later(200, () => pages)).toBeLessThanOrEqual(last + 1);
  });

  it("leaves a turn of the event loop between two pages, also when the store answers at once", async () => {
    const turns: number[] = [];
    let turn = 0;
    let timer = setImmediate(function count() {
      turn += 1;
      timer = setImmediate(count);
    });
    const memory = memoryUsageStore();
    const usage: UsageStore = withOverrides<UsageStore>(memory, {
      list: (query) => {
        turns.push(turn);
        return memory.list(query);
      },
    });
    await usage.record(Array.from({ length: 2_000 }, (_, index) => row(index)));
    await using scene = await setScene({ stores: { ...memoryStores(), usage } });
    const { text } = await scene.ask("GET", "/requests?format=csv");
    clearImmediate(timer);
    expect(text.trimEnd().split("\r\n")).toHaveLength(2_001);
    expect(turns.length).toBeGreaterThan(3);
    expect(new Set(turns).size).toBe(turns.length);
  });

  it("sums up usage for an export in pages", async () => {
    await using scene = await setScene();
    const accounts = Array.from({ length: 1_200 }, (_, index) => row(index * 3_600_000, { model: `m-${index % 100}` }));
    scene.stores.usage.record(accounts);
    const period = "from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z";
    const { text } = await scene.ask("GET", `/usage?${period}&group_by=model&bucket=hour&top=100&format=csv`);
    expect(text.trimEnd().split("\r\n")).toHaveLength(721);
  });

  it("answers 503 when the store fails before the first page", async () => {
    const usage: UsageStore = Object.assign(memoryUsageStore(), { list: () => Promise.reject(new Error("down")) });
    await using scene = await setScene({ stores: { ...memoryStores(), usage } });
    expect(await scene.ask("GET", "/requests?format=csv")).toMatchObject({ status: 503 });
  });

  it("breaks off when the store fails later, so that nobody takes a part for the whole", async () => {
    let calls = 0;
    const usage: UsageStore = Object.assign(memoryUsageStore(), {
      list: () => {
        calls += 1;
        if (calls > 1) throw new Error("down");
        return { rows: [row(1)], next: { at: new Date(0), id: "x" } };
      },
    });
    await using scene = await setScene({ stores: { ...memoryStores(), usage } });
    const headers = { authorization: `Bearer ${tokens.viewer}`, connection: "close" };
    const [response] = await once(get(`${scene.url}/requests?format=csv`, { headers }), "response");
    expect(response.statusCode).toBe(200);
    await expect(text(response)).rejects.toThrow("aborted");
  });

  it("quotes every text, contains no formula that a spreadsheet would run, and leaves numbers as they are", async () => {
    await using scene = await setScene();
    const names = ["=1+1", "+49 30", "-2+3", "@SUM(A1)", "\tx", "\rx", 'a "quoted", text', "two\nlines", "plain"];
    for (const name of names) await scene.stores.keys.create({ account: "-5", plan: "prepaid", name });
    const { text } = await scene.ask("GET", "/keys?format=csv");
    const cells = text.split("\r\n").map((line) => line.split(",").slice(1, 4).join(","));
    expect(text).toContain(`,"-5","prepaid","'=1+1",`);
    expect(text).toContain(`,"'+49 30",`);
    expect(text).toContain(`,"'-2+3",`);
    expect(text).toContain(`,"'@SUM(A1)",`);
    expect(text).toContain(`,"'\tx",`);
    expect(text).toContain(`,"'\rx",`);
    expect(text).toContain(',"a ""quoted"", text",');
    expect(text).toContain(',"two\nlines",');
    expect(cells.at(-2)).toBe('"-5","prepaid","plain"');
  });

  it("has the columns also when there are no rows, and JSON Lines nothing", async () => {
    await using scene = await setScene();
    const { text } = await scene.ask("GET", "/audit?format=csv");
    expect(text).toBe('"sequence","at","actor","action","subject","before","after"\r\n');
    expect(await scene.ask("GET", "/audit?format=jsonl")).toMatchObject({ status: 200, text: "" });
  });

  it("exports the summary of usage", async () => {
    await using scene = await setScene();
    scene.stores.usage.record([row(1), row(2)]);
    const period = "from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z";
    const { text } = await scene.ask("GET", `/usage?${period}&group_by=account&format=csv`);
    expect(text.split("\r\n")[1]).toMatch(/^"2026-01-01T00:00:00.000Z","acme",false,2,0,0,20,/);
  });
});

const later = <Value>(milliseconds: number, read: () => Value): Promise<Value> =>
  new Promise((resolve) => setTimeout(() => resolve(read()), milliseconds));
