import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { goTo, type QuickstartScene, setQuickstartScene } from "./quickstart-scene.ts";

const run = promisify(execFile);
let scene: QuickstartScene;
beforeAll(async () => {
  scene = await setQuickstartScene();
});
afterAll(() => scene.close());

it("the playground streams an answer of a model, and shows the request as curl", async () => {
  const { page, problems } = await scene.open();
  await goTo(page, "Playground");
  await page.getByLabel("Model", { exact: true }).selectOption(scene.models.plain);
  await page.getByLabel("Account").fill("prepaid");
  await page.getByLabel("Plan").selectOption("prepaid");
  await page.getByLabel("Message", { exact: true }).fill("Say hello to Ann's team");
  await page.getByText("The request as curl").click();
  await page.getByRole("button", { name: "Copy: The request as curl" }).click();
  await page.getByRole("status").getByText("Copied").waitFor();
  const curl = await page.evaluate(() => navigator.clipboard.readText());

  const streamed = page.waitForResponse((response) => response.url() === `${scene.router}/chat/completions`);
  await page.getByRole("button", { name: "Send" }).click();
  expect((await streamed).headers()["content-type"]).toMatch(/^text\/event-stream/);
  await page.getByText(/^first content /).waitFor();
  const [, answer = ""] = await page
    .getByRole("listitem")
    .filter({ hasText: /^(?:You|Answer)/ })
    .allInnerTexts();
  expect(answer).toContain("Say hello to Ann's team");

  const env = { ...process.env, TOLLGATE_KEY: scene.keys.prepaid };
  const { stdout } = await run("bash", ["-c", `${curl} -sS`], { env });
  expect(stdout.match(/^data: \{/gm)?.length).toBeGreaterThan(1);
  expect(stdout).toContain("data: [DONE]");
  expect(problems).toEqual([]);
});
