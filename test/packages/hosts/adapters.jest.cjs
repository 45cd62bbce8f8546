/* global test, expect */
const { probe } = require("./probe.cjs");

// Jest's own `require` cannot load ES modules, so the test imports the packages, and requires the frameworks.
test("every adapter serves requests", async () => {
  const served = { models: [200, 1], completion: [200, "Hi"], stream: [200, true] };
  const mounts = ["node:http", "express 5", "express 4", "fastify", "hono"];
  expect(await probe((name) => import(name))).toEqual(Object.fromEntries(mounts.map((name) => [name, served])));
});
