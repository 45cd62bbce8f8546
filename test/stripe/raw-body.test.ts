import { describe, expect, it } from "vitest";
import { mounts } from "../http/mounts/mounts.ts";
import { pay } from "../support/stripe/actions.ts";
import { startCounter } from "./counter-under-test.ts";

describe.each(mounts.map((mount) => [mount.name, mount] as const))("%s", (name, mount) => {
  it("verifies the bytes that Stripe has signed", async () => {
    const { open, posted, stripe } = await startCounter({ mount, variant: "middleware" });
    pay(stripe.account, await open());
    expect(new Set(await stripe.webhooks.deliver())).toEqual(new Set([200]));
    expect(await posted()).toBe("25");
  });

  it("behind a body parser, verifies the bytes that it left, or says where to mount the payments", async () => {
    const { open, posted, stripe, url } = await startCounter({ mount, variant: "parsed" });
    pay(stripe.account, await open());
    const statuses = new Set(await stripe.webhooks.deliver());
    const isKept = statuses.has(200);
    expect([statuses.size, await posted()]).toEqual([1, isKept ? "25" : "0"]);
    if (isKept) return;
    const headers = { "content-type": "application/json", "stripe-signature": "t=1,v1=00" };
    const answer = await fetch(`${url}/webhook`, { method: "POST", headers, body: "{}" });
    expect([name, answer.status, (await answer.json()).error.code]).toEqual([name, 500, "notification_body_consumed"]);
  });
});
