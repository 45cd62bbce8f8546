import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Container } from "../deployment/container.ts";
import { expectTwoContainers } from "../deployment/expect-two-containers.ts";
import { isInContext, readStages } from "./dockerfile.ts";

const [build, image] = readStages("examples/cluster/Dockerfile");
const folder = mkdtempSync(join(tmpdir(), "tollgate-image-"));
const schema = `image_${crypto.randomUUID().slice(0, 8)}`;
const databaseUrl = inject("postgres");

beforeAll(() => {
  const ignored = readFileSync("examples/cluster/Dockerfile.dockerignore", "utf8");
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
  for (const file of listed.trim().split("\n")) {
    if (isInContext(ignored, file)) cpSync(file, join(folder, "build", file));
  }
  for (const run of build?.runs ?? []) {
    const command = run.replaceAll(image?.workdir ?? "", join(folder, "image"));
    const { status } = spawnSync("sh", ["-c", command], {
      cwd: join(folder, "build"),
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) throw new Error(`The step of the Dockerfile failed with ${status}: ${command}`);
  }
}, 600_000);

afterAll(async () => {
  rmSync(folder, { recursive: true });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await client.end();
});

describe.skipIf(databaseUrl === undefined)("the image (needs PostgreSQL)", () => {
  // The command starts node by its name, as in the image.
  const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  const environment = {
    ...{ ...image?.environment, PATH, HOST: "127.0.0.1" },
    ...{ DATABASE_URL: databaseUrl, SCHEMA: schema },
  };
  const started = { command: image?.command ?? [], folder: join(folder, "image"), environment };

  it("starts with its own files alone, and two of it work together", () => expectTwoContainers(started), 60_000);

  it("is healthy while it runs, by its own check", async () => {
    const [file = "", ...parameters] = image?.healthcheck ?? [];
    const check = (env: NodeJS.ProcessEnv) => spawnSync(file, parameters, { env }).status;
    const container = await Container.start(started);
    expect(check(container.environment)).toBe(0);
    expect(await container.terminate()).toBe(0);
    expect(check(container.environment)).toBe(1);
  }, 60_000);
});
