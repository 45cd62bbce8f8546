import { createServer, type RequestListener } from "node:http";
import { memoryAuditLog } from "@tollgate/core";
import { tollgate } from "@tollgate/express";
import { tollgate as plugin, tollgateHandler } from "@tollgate/fastify";
import { tollgate as honoMount } from "@tollgate/hono";
import type { FreezeLog } from "@tollgate/payments";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { signNotification } from "../../examples/custom-provider/src/sign-notification.ts";
import { listen } from "../http/mounts/mount.ts";
import { type Counter, dispute, openCounter, paid, secrets } from "./counter.ts";

async function checkout(counter: Counter): Promise<string> {
  return String((await counter.ask("POST", "/checkout", { body: { product: "small" } })).json["id"]);
}

describe("POST /webhook", () => {
  it("answers 503 while the store is down, and credits once when the provider sends it again", async () => {
    await using counter = await openCounter();
    const event = paid(await checkout(counter));
    const { apply } = counter.store;
    counter.store.apply = () => {
      throw new Error("The disk is full.");
    };
    expect(await counter.notify(event)).toBe(503);
    counter.store.apply = apply.bind(counter.store);
    expect([await counter.notify(event), await counter.notify(event)]).toEqual([200, 200]);
    expect(counter.posted()).toBe(10_000_000_000n);
  });

  it("refuses a body of more than 1 MiB", async () => {
    await using counter = await openCounter();
    const body = new Uint8Array(1_100_000);
    expect((await fetch(`${counter.url}/webhook`, { method: "POST", body })).status).toBe(413);
  });

  it("freezes the account of a dispute before it answers, also when a first try had ended in between", async () => {
    let fails = true;
    await using counter = await openCounter(({ balances }) => ({
      freezeOnDispute: {
        freeze(account, reason) {
          if (fails) throw new Error("The connection was lost.");
          balances.freeze(account, reason);
        },
      },
    }));
    const payment = await checkout(counter);
    await counter.notify(paid(payment));
    const opened = dispute(payment, "dispute.opened");
    expect(await counter.notify(opened)).toBe(503);
    fails = false;
    expect(await counter.notify(opened)).toBe(200);
    expect(counter.balances.balance("ann").frozen?.reason).toContain(payment);
    expect(counter.posted()).toBe(0n);
    counter.balances.thaw("ann");
    await counter.notify(dispute(payment, "dispute.won"));
    await counter.notify(opened);
    expect(counter.balances.balance("ann").frozen).toBeUndefined();
    expect(counter.posted()).toBe(10_000_000_000n);
  });

  it("freezes the account of a dispute that waited for its payment", async () => {
    await using counter = await openCounter(({ balances }) => ({ freezeOnDispute: balances }));
    const payment = await checkout(counter);
    expect(await counter.notify(dispute(payment, "dispute.opened"))).toBe(200);
    expect(counter.balances.balance("ann").frozen).toBeUndefined();
    expect(await counter.notify(paid(payment))).toBe(200);
    expect(counter.balances.balance("ann").frozen).toBeDefined();
  });

  it("records the freeze of a dispute before it is made, and that it failed", async () => {
    const audit = memoryAuditLog();
    let fails = true;
    await using counter = await openCounter(({ balances }) => ({
      audit,
      freezeOnDispute: {
        freeze(account, reason) {
          if (fails) throw new Error("The connection was lost.");
          balances.freeze(account, reason);
        },
      },
    }));
    const payment = await checkout(counter);
    await counter.notify(paid(payment));
    const opened = dispute(payment, "dispute.opened");
    expect(await counter.notify(opened)).toBe(503);
    fails = false;
    expect(await counter.notify(opened)).toBe(200);
    const common = { actor: "payments:acme-pay", subject: "account:ann" };
    const after = { reason: `The payment ${payment} is disputed.` };
    const frozen = { ...common, action: "account.freeze", after };
    const { entries } = await audit.list({ limit: 10 });
    expect(entries).toMatchObject([frozen, { ...common, action: "account.freeze.failed" }, frozen]);
  });

  it("freezes nothing while the audit log is unavailable, and does when the notification comes again", async () => {
    const log = memoryAuditLog();
    let fails = true;
    const append: FreezeLog["append"] = (change) => {
      if (fails) throw new Error("The connection was lost.");
      return log.append(change);
    };
    await using counter = await openCounter(({ balances }) => ({ freezeOnDispute: balances, audit: { append } }));
    const payment = await checkout(counter);
    await counter.notify(paid(payment));
    const opened = dispute(payment, "dispute.opened");
    expect(await counter.notify(opened)).toBe(503);
    expect(counter.balances.balance("ann").frozen).toBeUndefined();
    fails = false;
    expect(await counter.notify(opened)).toBe(200);
    expect(counter.balances.balance("ann").frozen).toBeDefined();
  });

  it("credits although the listener of the host throws", async () => {
    const onEvent = () => {
      throw new Error("The log is full.");
    };
    await using counter = await openCounter(() => ({ onEvent }));
    expect(await counter.notify(paid(await checkout(counter)))).toBe(200);
    expect(counter.posted()).toBe(10_000_000_000n);
  });

  it("reports what is held, waits or was refused", async () => {
    await using counter = await openCounter();
    const payment = await checkout(counter);
    await counter.notify(dispute(payment, "dispute.opened"));
    await counter.notify(paid(payment, { paid: { amount: 1n, currency: "USD" } }));
    await fetch(`${counter.url}/webhook`, { method: "POST", body: "{}" });
    expect(counter.events.slice(1)).toMatchObject([
      { type: "payment.waiting", cause: "dispute.opened" },
      { type: "payment.changed", cause: "payment.paid", payment: { state: "held" } },
      { type: "notification.refused" },
    ]);
    expect(
      JSON.stringify(counter.events, (_, value) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain("pay.acme");
  });
});

describe("the bytes of a notification in each framework", () => {
  const hosts: Readonly<Record<string, (counter: Counter) => RequestListener | Promise<RequestListener>>> = {
    "express, before express.json()": ({ mounted }) =>
      express().use("/payments", tollgate(mounted)).use(express.json()),
    "express, after express.raw()": ({ mounted }) =>
      express()
        .use(express.raw({ type: "*/*" }))
        .use("/payments", tollgate(mounted)),
    "fastify as a plugin": async ({ mounted }) => {
      const app = fastify();
      await app.register(plugin, { gateway: mounted, prefix: "/payments" });
      await app.ready();
      return app.routing;
    },
    hono: async ({ mounted }) => {
      const { getRequestListener } = await import("@hono/node-server");
      return getRequestListener(new Hono().use("/payments/*", honoMount(mounted)).fetch);
    },
  };

  for (const [name, mountIn] of Object.entries(hosts)) {
    it(`reach the verification: ${name}`, async () => {
      await using counter = await openCounter();
      const payment = await checkout(counter);
      expect(await notifyAt(await mountIn(counter), paid(payment))).toMatchObject({ status: 200 });
      expect(counter.posted()).toBe(10_000_000_000n);
    });
  }

  const spoiling: typeof hosts = {
    "express, after express.json()": ({ mounted }) => express().use(express.json()).use("/payments", tollgate(mounted)),
    "fastify, after its parser": async ({ mounted }) => {
      const app = fastify();
      app.all("/payments/*", tollgateHandler(mounted, "/payments"));
      await app.ready();
      return app.routing;
    },
  };

  for (const [name, mountIn] of Object.entries(spoiling)) {
    it(`are gone, which the answer explains: ${name}`, async () => {
      await using counter = await openCounter();
      const payment = await checkout(counter);
      const { status, text } = await notifyAt(await mountIn(counter), paid(payment));
      expect([status, JSON.parse(text).error.code]).toEqual([500, "notification_body_consumed"]);
      expect(text).toContain("express.json()");
      expect(counter.posted()).toBe(0n);
    });
  }
});

async function notifyAt(listener: RequestListener, event: Parameters<typeof signNotification>[0]) {
  const { port, close } = await listen(createServer(listener));
  onTestFinished(async () => void (await close()));
  const { body, headers } = signNotification(event, "genuine", secrets);
  const sent = { method: "POST", headers: { connection: "close", ...headers }, body: new Uint8Array(body) };
  const response = await fetch(`http://127.0.0.1:${port}/payments/webhook`, sent);
  return { status: response.status, text: await response.text() };
}
