import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type QuickstartScene, setQuickstartScene } from "./quickstart-scene.ts";

let scene: QuickstartScene;
/** Every address that the page asks for when a person goes through it, as far as it is one of the dashboard. */
let paths: readonly string[];
beforeAll(async () => {
  scene = await setQuickstartScene();
  const { page } = await scene.open();
  const asked = new Set<string>();
  page.on("request", (request) => asked.add(request.url()));
  for (const link of await page.getByRole("navigation", { name: "Pages" }).getByRole("link").all()) {
    await link.click();
    await page.waitForLoadState("networkidle");
    await page.reload({ waitUntil: "networkidle" });
  }
  paths = [...asked].filter((url) => url.startsWith(scene.dashboard.url));
});
afterAll(() => scene.close());

const login = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;

describe("a stranger", () => {
  it("gets 401 and no content from every page, asset and route of the API", async () => {
    expect(paths.filter((url) => url.includes("/assets/")).length).toBeGreaterThanOrEqual(3);
    expect(paths.filter((url) => url.includes("/api/")).length).toBeGreaterThanOrEqual(9);
    const others = ["assets/missing.js", "api/openapi.json", "api/keys/missing", "requests?id=missing"];
    const all = [...paths, ...others.map((path) => scene.dashboard.url + path), scene.dashboard.url.slice(0, -1)];
    const answers = await Promise.all(all.map((url) => answerOf(url)));
    expect(answers.filter(([status]) => status !== 401)).toEqual([]);
    expect(new Set(answers.map(([, body]) => body)).size).toBe(1);
    expect(answers[0]?.[1]).toMatch(/^\{"error":\{"message":"Log in with /);
  });

  it.each([
    ["a wrong password", "admin", "wrong password"],
    ["another name", "root", undefined],
  ])("gets 401 with %s", async (_, user, password) => {
    const authorization = login(user, password ?? scene.dashboard.password);
    for (const path of ["", "usage", "api/me"]) {
      expect(await answerOf(scene.dashboard.url + path, { headers: { authorization } })).toEqual([
        401,
        expect.stringContaining("Log in with"),
      ]);
    }
  });
});

describe("a page of another site", () => {
  it.each([
    ["a foreign Origin", { origin: "https://evil.example" }, 403],
    ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }, 403],
    ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }, 403],
    ["neither", {}, 403],
    ["Sec-Fetch-Site: same-origin, which is the page of the dashboard", { "sec-fetch-site": "same-origin" }, 201],
  ])("changes nothing with the login of a person: %s", async (_, headers, expected) => {
    const { url, user, password } = scene.dashboard;
    const [status, body] = await answerOf(`${url}api/keys`, {
      method: "POST",
      headers: { authorization: login(user, password), "content-type": "application/json", ...headers },
      body: JSON.stringify({ account: "prepaid", plan: "prepaid", name: "stolen" }),
    });
    expect(status).toBe(expected);
    expect(body.includes('"secret"')).toBe(expected === 201);
  });
});

async function answerOf(url: string, init?: RequestInit): Promise<readonly [status: number, body: string]> {
  const response = await fetch(url, { redirect: "manual", ...init });
  return [response.status, await response.text()];
}
