import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { strangerApp } from "./stranger-app.ts";
import { supportedTypeScript } from "./supported-typescript.ts";

// The packages come from the registry that `local-registry.ts` starts. `versions` has those of the frameworks.
const { devDependencies: versions } = JSON.parse(readFileSync("test/package.json", "utf8"));
const newestTypeScript = supportedTypeScript.at(-1);
const { devDependencies: tools } = JSON.parse(readFileSync("package.json", "utf8"));

describe.concurrent("the published packages answer a chat completion", () => {
  it("in Express, required by CommonJS", async () => {
    using app = await strangerApp(
      ["express-commonjs"],
      ["@tollgate/core", "@tollgate/express", `express@${versions.express}`],
    );
    expect(await app.run("node", "express-commonjs/app.cjs")).toContain("Hello from Tollgate. 8\n");
  });

  it("in Fastify, compiled by TypeScript", async () => {
    using app = await strangerApp(
      ["fastify-typescript"],
      [
        ...["@tollgate/core", "@tollgate/fastify", `fastify@${versions.fastify}`],
        ...["@types/node@20", `typescript@${newestTypeScript}`],
      ],
      { type: "module" },
    );
    expect(await app.run("tsc", "-p", "fastify-typescript")).toBe("");
    expect(await app.run("node", "fastify-typescript/dist/app.js")).toBe("200 Hello from Tollgate.\n");
  });

  it("in Hono, bundled for the edge", async () => {
    using app = await strangerApp(
      ["hono-edge", "shared"],
      ["@tollgate/core", "@tollgate/hono", `hono@${versions.hono}`, `esbuild@${versions.esbuild}`],
    );
    const options = ["--bundle", "--format=iife", "--global-name=worker", "--platform=neutral"];
    const resolution = ["--main-fields=browser,module,main", "--conditions=workerd,worker,browser"];
    const files = ["hono-edge/worker.mjs", "--outfile=hono-edge/bundle.js", "--log-level=error"];
    expect(await app.run("esbuild", ...files, ...options, ...resolution)).toBe("");
    expect(await app.run("node", "hono-edge/run.mjs")).toBe("200 Hello from Tollgate. 8\n");
  });

  it("under Jest", async () => {
    using app = await strangerApp(["jest", "shared"], ["@tollgate/core", "@tollgate/node", `jest@${versions.jest}`]);
    const output = await app.run(
      "node",
      "--experimental-vm-modules",
      "node_modules/jest/bin/jest.js",
      "--config",
      "jest/jest.config.json",
    );
    expect(output).toContain("Tests:       1 passed, 1 total");
  });

  it("under Vitest", async () => {
    using app = await strangerApp(["vitest", "shared"], ["@tollgate/core", `vitest@${tools.vitest}`]);
    expect(await app.run("vitest", "run", "--no-color")).toMatch(/Tests +1 passed \(1\)/);
  });
});
