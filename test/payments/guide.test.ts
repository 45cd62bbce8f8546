import { createServer } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import { signNotification } from "../../examples/custom-provider/src/sign-notification.ts";
import { listen } from "../http/mounts/mount.ts";
import { startAcmeServer } from "./acme-server.ts";
import { paid, secrets } from "./counter.ts";

it("the server of the guide sells credit to who is logged in", async () => {
  const acme = await startAcmeServer();
  vi.stubEnv("ACME_PAY_URL", acme.baseURL).stubEnv("ACME_PAY_SECRET", secrets.signingSecret);
  const { app, balances, counter, sessions } = await import("../../examples/custom-provider/src/counter.ts");
  const host = await listen(createServer(app));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await counter.stop();
    await host.close();
    await acme.close();
  });
  sessions.set("s1", "ann");
  const url = `http://127.0.0.1:${host.port}/payments`;
  const headers = { cookie: "session=s1", "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const body = JSON.stringify({ product: "credit-10" });
  expect((await fetch(`${url}/checkout`, { method: "POST", headers: { ...headers, cookie: "" }, body })).status).toBe(
    401,
  );
  const answer = await fetch(`${url}/checkout`, { method: "POST", headers, body });
  const { id } = Object(await answer.json());
  const notification = signNotification(paid(String(id)), "genuine", secrets);
  const sent = { method: "POST", headers: notification.headers, body: new Uint8Array(notification.body) };
  expect((await fetch(`${url}/webhook`, sent)).status).toBe(200);
  expect(balances.balance("ann").posted).toBe(10_000_000_000n);
});
