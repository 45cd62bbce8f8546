import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import { tollgate as expressTollgate } from "@tollgate/express";
import { tollgate as fastifyTollgate, tollgateHandler } from "@tollgate/fastify";
import { tollgate as honoTollgate } from "@tollgate/hono";
import { nodeHandler } from "@tollgate/node";
import Fastify from "fastify";
import { describe, expect, it } from "vitest";

const provider = openaiCompatible({ baseURL: "http://127.0.0.1:1/v1" });
const gateway = createGateway({
  keys: memoryKeyStore(),
  balances: memoryBalanceStore(),
  plans: [{ id: "plan", billing: "none" }],
  models: [{ id: "m", maxOutputTokens: 1, price: "free", targets: [{ provider, model: "m" }] }],
});

/** Calls a function as a host in JavaScript may. */
const call = (adapter: unknown, ...given: unknown[]): unknown =>
  typeof adapter === "function" ? Reflect.apply(adapter, undefined, given) : undefined;

const registration = 'Write `await app.register(tollgate, { gateway, prefix: "/router/v1" })`';

describe("a mount says what to write instead", () => {
  it.each([
    ["Express", expressTollgate, "tollgate(gateway)"],
    ["Hono", honoTollgate, "tollgate(gateway)"],
    ["node:http", nodeHandler, "nodeHandler(gateway)"],
    ["Fastify's tollgateHandler", tollgateHandler, 'tollgateHandler(gateway, "/router/v1")'],
  ])("of a promise, of nothing, and of another object, in %s", (_, adapter, line) => {
    expect(() => call(adapter, Promise.resolve(gateway), "/router/v1")).toThrow(
      `The mount got a promise in place of a gateway. Await it first: \`const gateway = await ...\`, then \`${line}\`.`,
    );
    expect(() => call(adapter, undefined, "/router/v1")).toThrow(
      `got undefined in place of a gateway. Write \`${line}\``,
    );
    expect(() => call(adapter, { gateway }, "/router/v1")).toThrow("got an object without `handle`, `endpoint`");
    expect(() => call(adapter, "gateway", "/router/v1")).toThrow("got a string in place");
  });

  it("of a Fastify plugin that was called, and of one without a gateway", async () => {
    expect(() => call(fastifyTollgate, gateway)).toThrow(registration);
    const register = (options: object) => call(fastifyTollgate, Fastify(), options);
    await expect(register({ prefix: "/router/v1" })).rejects.toThrow(registration);
    await expect(register({ gateway: Promise.resolve(gateway) })).rejects.toThrow("Await it first");
  });
});
