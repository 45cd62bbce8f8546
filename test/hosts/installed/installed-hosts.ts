import { cpSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { installRuntime } from "../../runtimes/install-runtimes.ts";
import { type Host, serving } from "../hosts.ts";
import { type InstalledProject, installProject } from "./install-project.ts";
import { onWorkerd } from "./workerd.ts";

const compiler = resolve("node_modules/typescript/bin/tsc");

/** A host that is installed and built before its first start. */
function installed(name: string, prepare: () => Promise<Host["start"]>): Host {
  const start = once(prepare);
  return { name, start: async (environment) => (await start())(environment) };
}

/** Installs and builds a project once for several hosts. */
const project = (name: string, build: (project: InstalledProject) => Promise<void>) =>
  once(async () => {
    const made = await installProject(name);
    await build(made);
    return made;
  });

function once<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= run();
    return result;
  };
}

const onNode = (cwd: string, file: string) => serving({ command: process.execPath, parameters: [file], cwd });

const nestjs = project("nestjs", ({ run }) => run(compiler, []));
const nest = (name: string, file: string): Host =>
  installed(name, async () => onNode((await nestjs()).folder, `dist/${file}.js`));

const h3v1 = project("h3-v1", ({ run }) => run(compiler, []));

const notReported = "Only Node reports responses to requests that do not reach the mount.";

const bun = project("bun", ({ run }) => run(compiler, []));
const onBun = (name: string, file: string): Host => ({
  ...installed(name, async () => {
    const [{ folder }, command] = await Promise.all([bun(), installRuntime("bun")]);
    return serving({ command, parameters: [file], cwd: folder });
  }),
  without: { explains: notReported, pool: "Bun does not support undici." },
});

const workers = project("workers", ({ run }) => run(compiler, []));
const honoOnWorkers: Host = {
  ...installed("Hono on Workers", async () => onWorkerd(await workers())),
  store: "postgres",
  without: {
    explains: notReported,
    pool: "workerd does not support undici, and the example uses the default transport.",
    "silent abort": "workerd notices that a client has left when it sends the next frame.",
    "413 while sending": "workerd closes a connection if much of the body is unread when the response is complete.",
  },
};

const nitro = (name: string, folder: string, command: string): Host =>
  installed(name, async () => {
    const made = await project(folder, ({ run }) => run(command, ["build"]))();
    return onNode(made.folder, ".output/server/index.mjs");
  });

/** Builds the app, and copies the result to where it finds nothing else. */
const next = (name: string, bundler: "--turbopack" | "--webpack"): Host =>
  installed(name, async () => {
    const { folder, run } = await installProject("next");
    rmSync(join(folder, ".next"), { recursive: true, force: true });
    await run("next", ["build", bundler], { NEXT_TELEMETRY_DISABLED: "1" });
    const copied = folder + bundler;
    rmSync(copied, { recursive: true, force: true });
    cpSync(join(folder, ".next/standalone"), copied, { recursive: true, verbatimSymlinks: true });
    return onNode(copied, "server.js");
  });

/** The hosts whose packages `npm run test:all -- hosts` installs. */
export const installedHosts: readonly Host[] = [
  nest("NestJS on Express", "express"),
  nest("NestJS on Fastify", "fastify"),
  nest("NestJS on Express, consumer.apply", "middleware"),
  nest("NestJS on Fastify, consumer.apply", "middleware-fastify"),
  next("Next.js with Turbopack", "--turbopack"),
  next("Next.js with webpack", "--webpack"),
  installed("h3 1", async () => onNode((await h3v1()).folder, "dist/server.js")),
  nitro("Nitro 2", "nitro-2", "nitropack"),
  nitro("Nitro 3", "nitro-3", "nitro"),
  onBun("Hono on Bun", "hono.ts"),
  onBun("Elysia on Bun", "elysia.ts"),
  honoOnWorkers,
];
