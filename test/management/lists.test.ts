import { describe, expect, it } from "vitest";
import { type Answer, type Scene, setScene } from "./scene.ts";

async function createKeys(scene: Scene, count: number, account = "acme"): Promise<void> {
  for (let index = 0; index < count; index++) {
    await scene.stores.keys.create({ account, plan: "prepaid", name: `key ${index}` });
  }
}

const pageOf = ({ json }: Answer): { readonly data: readonly { readonly name: string }[]; readonly next: string } => {
  const { data, next } = Object(json);
  return { data, next };
};

describe("a list", () => {
  it("has pages that together have each item once, in order", async () => {
    await using scene = await setScene();
    await createKeys(scene, 7);
    const names: string[] = [];
    let cursor = "";
    for (;;) {
      const { data, next } = pageOf(await scene.ask("GET", `/keys?account=acme&limit=3${cursor}`));
      names.push(...data.map(({ name }) => name));
      if (next === null) break;
      cursor = `&cursor=${next}`;
    }
    expect(names).toEqual(Array.from({ length: 7 }, (_, index) => `key ${index}`));
  });

  it("goes on after the longest account id", async () => {
    await using scene = await setScene();
    const longest = "ä".repeat(512);
    scene.stores.balances.credit({ id: "1", account: longest, amount: 1n, reason: "top-up" });
    scene.stores.balances.credit({ id: "2", account: `${longest}b`, amount: 1n, reason: "top-up" });
    const { next } = pageOf(await scene.ask("GET", "/accounts?limit=1"));
    expect(await scene.ask("GET", `/accounts?limit=1&cursor=${next}`)).toMatchObject({
      status: 200,
      json: { next: null },
    });
  });

  it("refuses a cursor of other filters, of another list, and a forged one", async () => {
    await using scene = await setScene();
    await createKeys(scene, 2);
    await scene.ask("POST", "/accounts/acme/credits", { body: { amount: "1", reason: "ä" } });
    await scene.ask("POST", "/accounts/acme/credits", { body: { amount: "1", reason: "ä" } });
    const { next } = pageOf(await scene.ask("GET", "/keys?account=acme&limit=1"));
    const { next: entry } = pageOf(await scene.ask("GET", "/accounts/acme/entries?limit=1"));
    expect(await scene.ask("GET", `/keys?account=acme&limit=2&cursor=${next}`)).toMatchObject({ status: 200 });
    for (const path of [
      `/keys?cursor=${next}`,
      `/keys?account=other&cursor=${next}`,
      `/accounts/acme/entries?cursor=${next}`,
      `/accounts/other/entries?cursor=${entry}`,
      "/keys?account=acme&cursor=WyJ4IiwieCJd",
      "/keys?account=acme&cursor=%00",
    ]) {
      expect(await scene.ask("GET", path)).toMatchObject({ status: 400, json: { error: { param: "cursor" } } });
    }
  });

  it.each([
    ["/keys?acount=acme", "acount"],
    ["/keys?account=acme&account=other", "account"],
    ["/keys?account=", "account"],
    ["/keys?state=gone", "state"],
    ["/keys?limit=0", "limit"],
    ["/keys?limit=201", "limit"],
    ["/keys?limit=1e2", "limit"],
    ["/keys?format=xml", "format"],
    ["/conversations?format=csv", "format"],
    ["/requests?from=2026-01-01T00:00:00", "from"],
    ["/requests?status=20", "status"],
    ["/requests?failed=false", "failed"],
    ["/usage?bucket=minute", "bucket"],
    ["/usage?bucket=hour&from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z", "bucket"],
    ["/usage?bucket=day&from=2020-01-01T00:00:00Z&to=2026-03-01T00:00:00Z", "bucket"],
    ["/usage?from=2026-03-01T00:00:00Z&to=2026-01-01T00:00:00Z", "from"],
    ["/usage?group_by=color", "group_by"],
    ["/me?x=1", "x"],
  ])("refuses %s and names the member", async (path, param) => {
    await using scene = await setScene();
    expect(await scene.ask("GET", path)).toMatchObject({ status: 400, json: { error: { param } } });
  });

  it("suggests the name of a misspelt member, also of the paging", async () => {
    await using scene = await setScene();
    expect((await scene.ask("GET", "/keys?lmit=1")).text).toContain("Did you mean limit?");
  });

  it("names the store that the host has not passed", async () => {
    await using scene = await setScene({ stores: {} });
    const answer = await scene.ask("GET", "/conversations");
    expect(answer).toMatchObject({ status: 404, json: { error: { code: "not_configured" } } });
    expect(answer.text).toContain("stores.sessions");
  });
});
