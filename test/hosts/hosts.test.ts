import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkHost } from "./check-host.ts";
import { hosts } from "./hosts.ts";

it.each([
  ["express", "express"],
  ["express-4", "express4"],
])("the host %s runs on the package %s", (folder, name) => {
  expect(readFileSync(`examples/hosts/dist/${folder}/server.js`, "utf8")).toContain(`from "${name}";`);
});

for (const host of hosts) checkHost(host);
