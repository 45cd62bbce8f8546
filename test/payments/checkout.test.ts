import { describe, expect, it } from "vitest";
import { openCounter, paid } from "./counter.ts";

const buy = { body: { product: "small" } };

describe("POST /checkout", () => {
  it("makes the page on which the customer pays, and credits what was written when it is paid", async () => {
    await using counter = await openCounter();
    const { status, json } = await counter.ask("POST", "/checkout", buy);
    expect(status).toBe(200);
    expect(json).toEqual({ id: json["id"], url: `https://pay.acme.test/${json["id"]}` });
    expect(counter.posted()).toBe(0n);
    expect(await counter.notify(paid(String(json["id"])))).toBe(200);
    expect(counter.posted()).toBe(10_000_000_000n);
    expect(counter.events.map(({ type }) => type)).toEqual(["payment.opened", "payment.changed"]);
  });

  it("answers 503 while the provider is down, and makes the page of the same payment at the next try", async () => {
    await using counter = await openCounter();
    counter.acme.mood = "down";
    for (let count = 0; count < 2; count++) {
      const { status, headers, json } = await counter.ask("POST", "/checkout", buy);
      expect([status, headers.get("retry-after"), Object(json["error"]).code]).toEqual([
        503,
        "5",
        "payment_provider_unavailable",
      ]);
    }
    const { payments: pending } = counter.store.list({ limit: 10 });
    expect(pending.map(({ state }) => state)).toEqual(["pending"]);
    counter.acme.mood = "works";
    expect((await counter.ask("POST", "/checkout", buy)).json["id"]).toBe(pending[0]?.id);
    expect(counter.store.list({ limit: 10 }).payments).toHaveLength(1);
  });

  it("makes one page when the answer of the provider was lost", async () => {
    await using counter = await openCounter();
    counter.acme.mood = "lost";
    expect((await counter.ask("POST", "/checkout", buy)).status).toBe(503);
    counter.acme.mood = "works";
    expect((await counter.ask("POST", "/checkout", buy)).status).toBe(200);
    expect(counter.acme.made.size).toBe(1);
  });

  it("has at most 5 open checkouts of an account", async () => {
    await using counter = await openCounter();
    for (let count = 0; count < 5; count++) expect((await counter.ask("POST", "/checkout", buy)).status).toBe(200);
    const { status, json } = await counter.ask("POST", "/checkout", buy);
    expect([status, Object(json["error"]).code]).toEqual([429, "too_many_checkouts"]);
    const other = { "x-account": "bob", "sec-fetch-site": "same-origin", "content-type": "application/json" };
    expect((await counter.ask("POST", "/checkout", { ...buy, headers: other })).status).toBe(200);
  });

  it("refuses strangers, pages of other sites, simple forms and unknown products", async () => {
    await using counter = await openCounter();
    const own = { "x-account": "ann", "content-type": "application/json" };
    const site = { "sec-fetch-site": "same-origin" };
    const codes: unknown[] = [];
    for (const [headers, body] of [
      [{ ...site, "content-type": "application/json" }, { product: "small" }],
      [{ ...own, "sec-fetch-site": "cross-site" }, { product: "small" }],
      [{ ...own, origin: "https://evil.test" }, { product: "small" }],
      [own, { product: "small" }],
      [{ ...site, "x-account": "ann", "content-type": "text/plain" }, { product: "small" }],
      [{ ...own, ...site }, { product: "huge" }],
      [
        { ...own, ...site },
        { product: "small", credit: "1000" },
      ],
      [{ ...own, ...site }, {}],
    ] as const) {
      const { status, json } = await counter.ask("POST", "/checkout", { headers, body });
      codes.push([status, Object(json["error"]).code]);
    }
    expect(codes).toEqual([
      [401, "authorization_required"],
      [403, "origin_refused"],
      [403, "origin_refused"],
      [403, "origin_refused"],
      [415, "unsupported_media_type"],
      [404, "product_not_found"],
      [400, "invalid_request"],
      [400, "invalid_request"],
    ]);
    expect(counter.store.list({ limit: 10 }).payments).toEqual([]);
  });

  it("sends a stranger the response of the host", async () => {
    const login = new Response(null, { status: 303, headers: { location: "/login" } });
    await using counter = await openCounter(() => ({ authorize: () => login.clone() }));
    const response = await fetch(`${counter.url}/products`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/login"]);
  });
});

describe("what a customer sees", () => {
  it("lists the products with decimal amounts", async () => {
    await using counter = await openCounter();
    const { json, headers } = await counter.ask("GET", "/products");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(json["data"]).toEqual([
      { id: "small", price: { amount: "10.00", currency: "USD" }, credit: "10", bonus: "0" },
      { id: "large", price: { amount: "50.00", currency: "USD" }, credit: "50", bonus: "5" },
    ]);
  });

  it("lists the payments of the account alone, in pages", async () => {
    await using counter = await openCounter();
    const { json: first } = await counter.ask("POST", "/checkout", buy);
    await counter.ask("POST", "/checkout", { body: { product: "large" } });
    await counter.notify(paid(String(first["id"])));
    const page = await counter.ask("GET", "/payments?limit=1");
    expect(page.json["data"]).toMatchObject([{ product: "large", state: "open" }]);
    const rest = await counter.ask("GET", `/payments?limit=1&cursor=${encodeURIComponent(String(page.json["next"]))}`);
    expect(rest.json).toMatchObject({
      data: [{ id: first["id"], state: "paid", price: { amount: "10.00", currency: "USD" }, checkout_url: null }],
      next: null,
    });
    const bob = await counter.ask("GET", "/payments", { headers: { "x-account": "bob" } });
    expect(bob.json).toEqual({ data: [], next: null });
  });
});
