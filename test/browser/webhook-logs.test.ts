import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fact, goTo, type QuickstartScene, setQuickstartScene } from "./quickstart-scene.ts";

let scene: QuickstartScene;
beforeAll(async () => {
  scene = await setQuickstartScene();
});
afterAll(() => scene.close());

it("a conversation in the playground is found with its webhook under Conversations, Session, Logs", async () => {
  const { page, problems } = await scene.open();
  await goTo(page, "Playground");
  await page.getByRole("button", { name: "Assistant" }).click();
  await page.getByLabel("Assistant", { exact: true }).selectOption(scene.assistant);
  await page.getByLabel("Account").fill("prepaid");
  await page.getByLabel("Plan").selectOption("prepaid");
  await page.getByLabel("Client data").fill('{"customer": "Ann & Bob"}');
  await page.getByLabel("Message", { exact: true }).fill("Where is order 1234?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("link", { name: "Session and logs" }).waitFor();

  await goTo(page, "Conversations");
  await page.getByRole("group", { name: "Conversations" }).getByRole("link").first().click();
  await page.getByRole("heading", { level: 1, name: "Session" }).waitFor();
  await page.getByRole("link", { name: "Logs", exact: true }).click();
  await page.getByRole("link", { name: "find_order" }).click();

  const panel = page.getByRole("complementary");
  expect(await fact(panel, "Result").textContent()).toBe("200");
  expect(await fact(panel, "Execution time").textContent()).toMatch(/^\d[\d.,]* m?s$/);
  const body = await panel.getByRole("group", { name: "Response body" }).textContent();
  expect(JSON.parse(body ?? "")).toMatchObject({ number: 1234, state: "on its way, arrives tomorrow" });
  expect(await cellsOf(panel.getByRole("group", { name: "Variables" }))).toEqual(
    expect.arrayContaining([
      ["$number", "Argument", "1234"],
      ["$customer", "Client data", "Ann & Bob"],
      ["$shop_key", "Secret", "Redacted"],
      ["$session.id", "System", expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ]),
  );
  expect(problems).toEqual([]);
});

/** Returns the texts of the cells of a table, row by row, without its header. */
async function cellsOf(table: Locator): Promise<readonly (readonly string[])[]> {
  const rows = await table.getByRole("row").all();
  return Promise.all(rows.slice(1).map((row) => row.getByRole("cell").allInnerTexts()));
}
