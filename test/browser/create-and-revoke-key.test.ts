import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fact, goTo, type QuickstartScene, setQuickstartScene } from "./quickstart-scene.ts";

const run = promisify(execFile);
let scene: QuickstartScene;
beforeAll(async () => {
  scene = await setQuickstartScene();
});
afterAll(() => scene.close());

it("a new key works as its snippet says, its request shows a receipt, and a revoked key gets 401", async () => {
  const { page, problems } = await scene.open();
  const snippets = await createKey(page, "journey");
  // The chat completion is the first snippet, and becomes the newest request.
  for (const each of snippets.toReversed()) expect(await statusOf(each), each).toBe("200");
  expect(snippets.length).toBe(4);
  const [snippet = ""] = snippets;

  await page.getByRole("link", { name: "journey" }).click();
  await page.getByRole("link", { name: "Requests of this key" }).click();
  await openNewestRequest(page, snippets.length);
  const panel = page.getByRole("complementary");
  const cost = await fact(panel, "Cost").textContent();
  expect(cost).toMatch(/^\$0\.0*[1-9]\d*$/);
  const receipt = panel.getByRole("group", { name: "Calculation of the charge" });
  expect(await receipt.getByRole("row").count()).toBe(3);
  await expect.poll(() => panel.getByText("Charge #").locator("xpath=..").textContent()).toContain(cost);
  const steps = await panel.getByRole("listitem").allInnerTexts();
  expect(steps.map((step) => step.split("\n")[0])).toEqual(
    expect.arrayContaining(["Admitted", "Amount held", "Attempt", "Answered", "Settled"]),
  );

  await fact(panel, "Key").getByRole("link").click();
  await page.getByRole("button", { name: "Revoke" }).click();
  const dialog = page.getByRole("dialog", { name: "Revoke journey?" });
  await expect.poll(() => dialog.textContent()).toContain("will get status 401 from now on");
  expect(await dialog.getByRole("button", { name: "Cancel" }).evaluate((button) => button.matches(":focus"))).toBe(
    true,
  );
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await statusOf(snippet)).toBe("401");
  expect(problems).toEqual([]);
});

/** Creates a key in the dialog and returns its snippet for curl of each API from the clipboard. */
async function createKey(page: Page, name: string): Promise<string[]> {
  await goTo(page, "Keys");
  await page.getByRole("link", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create key" });
  await form.getByLabel("Account").fill("prepaid");
  await form.getByLabel("Name").fill(name);
  await form.getByRole("button", { name: "Create key" }).click();
  const secret = page.getByRole("dialog", { name: `Copy the secret of ${name}` });
  const tabs = secret.getByRole("group", { name: "API" });
  await tabs.waitFor();
  const apis = await tabs.getByRole("button").allTextContents();
  const snippets: string[] = [];
  for (const api of apis) {
    await secret.getByRole("button", { name: api, exact: true }).click();
    await secret.getByRole("button", { name: "curl", exact: true }).click();
    await page.screenshot({ path: `test-results/quickstart/secret-${snippets.length}.png` });
    await secret.getByRole("button", { name: "Copy: curl" }).click();
    await page.getByRole("status").getByText("Copied").waitFor();
    snippets.push(await page.evaluate(() => navigator.clipboard.readText()));
  }
  await secret.getByRole("button", { name: "Done" }).click();
  return snippets;
}

/** Runs the snippet in a shell and returns the status of the response. */
async function statusOf(snippet: string): Promise<string> {
  const { stdout } = await run("bash", ["-c", `${snippet} -sS -o /dev/null -w '%{http_code}'`]);
  return stdout;
}

/** Rows of usage are written a second after their requests, so the list may need to be loaded again. */
async function openNewestRequest(page: Page, count: number): Promise<void> {
  const rows = page.getByRole("group", { name: "Requests" }).getByRole("link");
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.getByText("No requests yet").or(page.getByText("Nothing matches")).or(rows.first()).waitFor();
        return rows.count();
      },
      { timeout: 30_000, interval: 500 },
    )
    .toBe(count);
  await rows.first().click();
}
