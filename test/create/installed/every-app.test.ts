import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { appFiles } from "create-tollgate";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type StrangerApp, strangerApp } from "../../packages/published/stranger-app.ts";
import { everyApp } from "../every-app.ts";
import { answered, askApp, logIn, startApp } from "../started-app.ts";

/** The Node that runs the apps: `CREATE_NODE=/opt/node-24/bin/node npm run test:all -- create`. */
const node = process.env["CREATE_NODE"] ?? process.execPath;

const apps = everyApp.map((app) => ({ app, files: appFiles(app) }));
const manifestOf = (files: Readonly<Record<string, string>>) => JSON.parse(files["package.json"] ?? "");

/** An upstream that answers like OpenAI. */
const upstream = createServer((_request, response) => {
  response.setHeader("content-type", "application/json");
  const message = { role: "assistant", content: "You said: Hi" };
  response.end(
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "gpt-5-mini",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 },
    }),
  );
});

let installed: StrangerApp;
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const packages = apps.flatMap(({ files }) => {
    const { dependencies, devDependencies = {} } = manifestOf(files);
    return Object.entries({ ...dependencies, ...devDependencies }).map(([name, version]) => `${name}@${version}`);
  });
  installed = await strangerApp([], [...new Set(packages)]);
});
afterAll(() => {
  upstream.close();
  installed?.[Symbol.dispose]();
});

describe.concurrent.each(apps.map(({ app, files }) => [app.name, app, files] as const))("%s", (name, app, files) => {
  it.skipIf(app.store === "postgres" && inject("postgres") === undefined)(
    "starts, lets the operator log in, answers, and ends at Ctrl-C",
    async () => {
      const folder = join(installed.folder, "apps", name);
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      const command = manifestOf(files)
        .scripts.start.replace(/^node /, `${node} `)
        .split(" ");
      await using database = app.store === "postgres" ? await newDatabase(name) : undefined;
      await using started = await startApp(folder, command, variablesFor(database));
      expect(files[started.passwordFile]).toContain(`DASHBOARD_PASSWORD=${app.password}\n`);
      expect(await logIn(started, app.password)).toEqual([200, 200]);
      expect(await logIn(started, "wrong-password")).toEqual([401, 401]);
      const models = await fetch(`${started.router}/models`, { headers: { authorization: `Bearer ${started.key}` } });
      expect(await models.json()).toMatchObject({ data: [{ id: "acme-small" }] });
      // The others would need the internet.
      if (app.provider === "offline" || app.provider === "openai-compatible")
        expect(await askApp(started, "Hi")).toMatchObject(answered("You said: Hi"));
      expect(await started.stop()).toBe(0);
    },
  );
});

function variablesFor(database: Database | undefined): Readonly<Record<string, string>> {
  const address = upstream.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const keys = { OPENAI_API_KEY: "any", ANTHROPIC_API_KEY: "any", GEMINI_API_KEY: "any" };
  const databases = database === undefined ? {} : { DATABASE_URL: database.url };
  return { ...keys, ...databases, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
}

/** An empty database, which is dropped when it is disposed. */
interface Database extends AsyncDisposable {
  readonly url: string;
}

/** Creates an empty database on the server of the tests. */
async function newDatabase(name: string): Promise<Database> {
  const url = new URL(inject("postgres") ?? "");
  const server = url.href;
  const database = `created_${name.replaceAll("-", "_")}`;
  const drop = `drop database if exists ${database} with (force)`;
  await runOn(server, drop, `create database ${database}`);
  url.pathname = database;
  return { url: url.href, [Symbol.asyncDispose]: () => runOn(server, drop) };
}

async function runOn(server: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
