import { webhookRunner } from "@tollgate/node";
import { afterEach, expect, it, vi } from "vitest";
import { certificate } from "./certificate.ts";
import { openSocketTarget, openTarget, openTlsTarget } from "./open-target.ts";
import { runCall, textOf } from "./run-call.ts";

const refused = { failure: "tls_error", certainty: "not_sent" };

afterEach(() => vi.unstubAllEnvs());

it("a self-signed certificate is rejected, and nothing is sent or retried", async () => {
  const received = vi.fn();
  const port = await openTlsTarget((_, response) => response.end(String(received())));
  const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
  const result = await runCall(runner, `https://127.0.0.1:${port}/`, { method: "POST", body: "{}" });
  expect(result).toMatchObject(refused);
  expect(result.attempts).toHaveLength(1);
  expect(received).not.toHaveBeenCalled();
});

it("a self-signed certificate is rejected even with NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  const port = await openTlsTarget((_, response) => response.end());
  const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
  expect(await runCall(runner, `https://127.0.0.1:${port}/`)).toMatchObject(refused);
});

it("a certificate authority in the option `ca` is trusted for its names and addresses", async () => {
  const names: unknown[] = [];
  const port = await openTlsTarget((request, response) => {
    names.push("servername" in request.socket && request.socket.servername);
    response.end(request.headers.host);
  });
  const allowedTargets = [`127.0.0.1:${port}`, `billing.internal:${port}`];
  const runner = webhookRunner({ allowedTargets, ca: [certificate], lookup: async () => ["127.0.0.1"] });
  for (const host of allowedTargets) {
    expect(textOf(await runCall(runner, `https://${host}/`, { method: "POST", body: "{}" }))).toBe(host);
  }
  expect(names).toEqual([false, "billing.internal"]);
});

it("a certificate for another name is rejected", async () => {
  const port = await openTlsTarget((_, response) => response.end());
  const allowedTargets = [`other.internal:${port}`];
  const runner = webhookRunner({ allowedTargets, ca: [certificate], lookup: async () => ["127.0.0.1"] });
  expect(await runCall(runner, `https://other.internal:${port}/`)).toMatchObject(refused);
});

it("a target without TLS is rejected", async () => {
  const port = await openTarget((_, response) => response.end());
  const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
  expect(await runCall(runner, `https://127.0.0.1:${port}/`, { method: "POST" })).toMatchObject(refused);
});

it("a target that accepts a connection but does not answer the handshake is a connection error", async () => {
  const port = await openSocketTarget(() => undefined);
  const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`], connectMs: 300 });
  const result = await runCall(runner, `https://127.0.0.1:${port}/`, { method: "POST" });
  expect(result).toMatchObject({ failure: "connect_error", certainty: "not_sent" });
  expect(result.attempts).toHaveLength(2);
});

it("a target that closes the connection during the handshake is a connection error", async () => {
  const port = await openSocketTarget((socket) => socket.once("data", () => socket.destroy()));
  const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
  const result = await runCall(runner, `https://127.0.0.1:${port}/`, { method: "POST" });
  expect(result).toMatchObject({ failure: "connect_error", certainty: "not_sent" });
});

it("an invalid certificate is rejected when the runner is created", () => {
  expect(() => webhookRunner({ ca: ["-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----"] })).toThrow(
    "Use PEM format for each",
  );
});
