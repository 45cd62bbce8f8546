import pg from "pg";
import { describe, inject, it, onTestFinished } from "vitest";
import { expectTwoContainers } from "./expect-two-containers.ts";

const databaseUrl = inject("postgres");

describe.skipIf(databaseUrl === undefined)("containers (need PostgreSQL)", () => {
  it("two of them share all records, answer probes and Prometheus, and drain on SIGTERM", async () => {
    const schema = `container_${crypto.randomUUID().slice(0, 8)}`;
    onTestFinished(async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
    });
    await expectTwoContainers({
      command: [process.execPath, "dist/container.js"],
      folder: "examples/cluster",
      environment: {
        DATABASE_URL: databaseUrl,
        SCHEMA: schema,
      },
    });
  }, 60_000);
});
