import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkHost } from "./check-host.ts";
import { hosts } from "./hosts.ts";

it.each([
  ["express", "express"],
  ["express-4", "express4"],
])("the host %s runs on the package %s", (folder, name) => {
  expect(readFileSync(`examples/hosts/dist/${folder}/server.js`, "utf8")).toContain(`from "${name}";`);
});

for (const host of hosts) checkHost(host);

describe("a port in use", () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-port-"));
  const other = createServer();
  beforeAll(async () => void (await once(other.listen(0), "listening")));
  afterAll(() => {
    other.close();
    rmSync(folder, { recursive: true });
  });

  it.each(hosts)("ends $name, which says what to do", async ({ start }) => {
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const started = start({ PORT: port, DATABASE_FILE: join(folder, "acme.db") });
    await expect(started).rejects.toThrow(`Port ${port} cannot be used. Free it, or set another one as PORT.`);
  });
});
