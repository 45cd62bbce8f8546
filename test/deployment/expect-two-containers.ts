import { expect, onTestFinished, vi } from "vitest";
import { Container, type Image } from "./container.ts";

/** Runs two containers of an image on one database, and checks what a deployment relies on. */
export async function expectTwoContainers(image: Image): Promise<void> {
  const [first, second] = await Promise.all([Container.start(image), Container.start(image)]);
  onTestFinished(() => {
    for (const { process } of [first, second]) process.kill("SIGKILL");
  });
  const secret = await newCustomer(first);
  await expectSharedRecords(first, second, secret);
  await expectMetrics(second);
  await expectDrain(first, second, secret);
}

async function newCustomer(container: Container): Promise<string> {
  const created = await container.manage("POST", "/keys", {
    account: "acme",
    plan: "prepaid",
    limits: { requests: { limit: 6 } },
  });
  await container.manage("POST", "/accounts/acme/credits", { amount: "1", reason: "test" });
  return String(created["secret"]);
}

async function expectSharedRecords(first: Container, second: Container, secret: string): Promise<void> {
  for (const container of [first, second]) {
    expect([(await container.get("/livez")).status, (await container.get("/readyz")).status]).toEqual([200, 200]);
  }
  const answers = await Promise.all([first, second, first, second].map((each) => each.complete(secret, "Hi")));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await Promise.all(answers.map((answer) => answer.text()));
  // Each answer costs 10 tokens at 1 and 10 at 2 per million.
  await vi.waitUntil(async () => (await balanceIn(second))["held"] === "0", { timeout: 10_000 });
  expect(await balanceIn(second)).toEqual({ posted: "0.99988", held: "0", available: "0.99988" });
}

async function expectMetrics(container: Container): Promise<void> {
  const text = await (await container.metrics()).text();
  expect(text).toMatch(/^gen_ai_client_operation_duration_count\{.*gen_ai_request_model="echo-1".*\} 2/m);
  expect(text).toContain("tollgate_settlements_waiting");
}

/** The limit of six requests counts in both, so that of two more only one request is left for the drain. */
async function expectDrain(first: Container, second: Container, secret: string): Promise<void> {
  const stream = await first.complete(secret, "word ".repeat(100), { stream: true });
  const exited = first.terminate();
  await vi.waitUntil(async () => (await first.get("/readyz")).status === 503, { timeout: 10_000 });
  const refused = await first.complete(secret, "Hi");
  expect([refused.status, await refused.json()]).toEqual([
    503,
    { error: expect.objectContaining({ code: "draining" }) },
  ]);
  expect((await first.get("/livez")).status).toBe(200);
  expect(await stream.text()).toMatch(/data: \[DONE\]\n\n$/);
  expect(await exited).toBe(0);
  await expect(first.get("/livez")).rejects.toThrow();
  expect((await second.complete(secret, "Hi")).status).toBe(200);
  expect((await second.complete(secret, "Hi")).status).toBe(429);
  await vi.waitUntil(async () => (await balanceIn(second))["held"] === "0", { timeout: 10_000 });
  expect((await balanceIn(second))["posted"]).toBe("0.99982");
}

async function balanceIn(container: Container): Promise<Readonly<Record<string, unknown>>> {
  const { posted, held, available } = await container.manage("GET", "/accounts/acme");
  return { posted, held, available };
}
