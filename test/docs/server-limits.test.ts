import { readFileSync } from "node:fs";
import { createServer, maxHeaderSize } from "node:http";
import Fastify from "fastify";
import { expect, it } from "vitest";

const page = readFileSync("docs/guides/security.md", "utf8");
const rows = [...page.matchAll(/^\| `(\w+)` +\| (\S+) +\| (\S+) +\|/gm)];
const settings = rows.map(([, name = ""]) => name);

it.each([
  ["Node", createServer(), 2],
  ["Fastify", Fastify().server, 3],
])("the guide names the default limits of the server of %s", (_name, server, column) => {
  const named = rows.map((row) => (row[column] === "none" ? 0 : Number(row[column]?.replaceAll(",", ""))));
  // The server does not tell the limit that its parser has, unless the host sets one.
  const actual = settings.map((setting) =>
    setting === "maxHeaderSize" ? maxHeaderSize : (Reflect.get(server, setting) ?? 0),
  );
  expect(named).toEqual(actual);
  expect(settings).toHaveLength(6);
});
