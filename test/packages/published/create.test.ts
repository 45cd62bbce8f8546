import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { answered, askApp, logIn, startApp } from "../../create/started-app.ts";
import { strangerApp } from "./stranger-app.ts";

// Each installs all packages of its app from the registry of npm, next to the apps of every combination.
describe.concurrent("npm create tollgate writes an app that npm installs and starts", { timeout: 150_000 }, () => {
  it.each([
    ["in TypeScript, with Express and SQLite", "express", "ts", "sqlite"],
    ["in JavaScript, without a framework and with memory", "node:http", "js", "memory"],
  ])("%s", async (_, framework, language, store) => {
    using stranger = await strangerApp([], []);
    const choices = ["--framework", framework, "--language", language, "--store", store, "--provider", "offline"];
    const registry = `--registry=${inject("registry")}`;
    const output = await stranger.run("npm", "create", "--yes", registry, "tollgate", "my-app", "--", ...choices);
    expect(output).toContain("Created my-app. Next:");
    const folder = join(stranger.folder, "my-app");
    // With --prefix, npm would look for its global settings, such as the certificates to trust, in that folder.
    await stranger.runIn("my-app", "npm", "install", "--no-audit", "--no-fund", "--loglevel=error");
    if (language === "ts") await stranger.runIn("my-app", "npm", "run", "typecheck");

    await using first = await startApp(folder, ["npm", "start"]);
    expect(await askApp(first, "Hello there")).toMatchObject(answered("You said: Hello there"));
    const settings = readFileSync(join(folder, first.passwordFile), "utf8");
    const password = /^DASHBOARD_PASSWORD=(.*)$/m.exec(settings)?.[1] ?? "none";
    expect(await logIn(first, password)).toEqual([200, 200]);
    expect(await logIn(first, "wrong-password")).toEqual([401, 401]);
    await first.stop();

    await using second = await startApp(folder, ["npm", "start"]);
    const isKept = store !== "memory";
    expect(await logIn(second, password)).toEqual([200, 200]);
    expect(await askApp({ ...second, key: first.key }, "Again")).toMatchObject({ status: isKept ? 200 : 401 });
    const third = startApp(folder, ["npm", "start"], { PORT: new URL(second.router).port });
    await expect(third).rejects.toThrow("is in use. Stop the program that uses it, or set another PORT in .env.");
    await second.stop();
    expect(readdirSync(folder).includes(".tollgate")).toBe(isKept);
  });
});
