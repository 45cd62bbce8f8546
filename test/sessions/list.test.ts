import { describe, expect, it } from "vitest";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";

async function setScene(count: number) {
  const tested = sessionsUnderTest();
  const secret = await tested.key();
  const created: string[] = [];
  for (let at = 0; at < count; at++) created.push((await tested.create(secret, { at })).id);
  const list = async (query = "", by = secret) => {
    const response = await tested.ask(by, "GET", `/session${query}`);
    return { status: response.status, ...(await response.json()) };
  };
  return { ...tested, secret, created, list };
}

const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }) => data.map(({ id }) => id);

describe("GET /session", () => {
  it("returns an empty page for an account without sessions", async () => {
    const { list } = await setScene(0);
    const nothing = { object: "list", data: [], first_id: null, last_id: null, has_more: false, next: null };
    expect(await list()).toEqual({ status: 200, ...nothing });
  });

  it("returns the records of all sessions in consecutive pages", async () => {
    const { ask, list, created, secret } = await setScene(5);
    const first = await list("?limit=3");
    expect([first.data.length, first.has_more, first.next === null]).toEqual([3, true, false]);
    const second = await list(`?limit=3&before=${first.next}`);
    expect([second.data.length, second.has_more, second.next]).toEqual([2, false, null]);
    const all = [...first.data, ...second.data];
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(created));
    const times = all.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().reverse());
    for (const record of all) {
      expect(await (await ask(secret, "GET", `/session/${record.id}`)).json()).toEqual(record);
    }
    expect(all.map(({ client_data }) => client_data.at).toSorted()).toEqual([0, 1, 2, 3, 4]);
  });

  it("returns only sessions of the key's account", async () => {
    const { create, key, list, created } = await setScene(2);
    const other = await key({ account: "other" });
    const { id } = await create(other);
    expect(idsOf(await list("", other))).toEqual([id]);
    expect(new Set(idsOf(await list()))).toEqual(new Set(created));
  });

  it.each(["limit=0", "limit=101", "limit=x"])("rejects ?%s", async (query) => {
    const { list } = await setScene(0);
    expect(await list(`?${query}`)).toMatchObject({ status: 400, error: { param: "limit" } });
  });

  it.each(["1", "x", "1_x", "-1_5e5510a1-0000-4000-8000-000000000001", "5e5510a1-0000-4000-8000-000000000001"])(
    "rejects the cursor %s",
    async (cursor) => {
      const { list } = await setScene(0);
      expect(await list(`?before=${cursor}`)).toMatchObject({ status: 400, error: { param: "before" } });
    },
  );

  it("requires a key", async () => {
    const { ask } = await setScene(0);
    expect((await ask("nobody", "GET", "/session")).status).toBe(401);
  });
});
