import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attackedMounts } from "./attacked-mounts.ts";
import { AttackedProcess } from "./attacked-process.ts";
import { exchange } from "./exchange.ts";
import { expectQuiet } from "./expect-quiet.ts";
import { type AttackedDialect, attackedDialects, type HeaderLine, postOf, prefix } from "./hostile-request.ts";

let attacked: AttackedProcess;
beforeAll(async () => {
  attacked = await AttackedProcess.start(attackedMounts);
});
afterAll(() => attacked.stop());

/** Returns a body made from a valid one without its last brace. */
type Make = (small: string) => string | Buffer;

const deep = 100_000;
const list = (count: number, one: (at: number) => string) => Array.from({ length: count }, (_, at) => one(at)).join();
const bytes = (latin1: string) => Buffer.from(latin1, "latin1");
const ofModel = (small: string, model: string) => `${small.replace(/"model":"\w+"/, `"model":"${model}"`)}}`;

const refused: Readonly<Record<string, Make>> = {
  "100,000 open brackets": () => "[".repeat(deep),
  "100,000 nested objects": () => `${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`,
  "100,000 nested brackets in a member": (small) => `${small},"metadata":${"[".repeat(deep)}${"]".repeat(deep)}}`,
  "bytes that are no UTF-8 in a value": (small) => bytes(`${small},"user":"\xff"}`),
  "bytes that are no UTF-8 in a name": (small) => bytes(`${small},"\xc3":1}`),
  "an overlong encoding": (small) => bytes(`${small},"user":"\xc0\xaf"}`),
  "an encoded surrogate": (small) => bytes(`${small},"user":"\xed\xa0\x80"}`),
  "a byte order mark": (small) => `\ufeff${small}}`,
  "UTF-16": (small) => Buffer.from(`${small}}`, "utf16le"),
  "a model named __proto__": (small) => ofModel(small, "__proto__"),
  "a model named constructor": (small) => ofModel(small, "constructor"),
  "a repeated model": (small) => `${small},"model":"plain"}`,
  nothing: () => "",
};

const refusedAndLarge: Readonly<Record<string, Make>> = {
  "60,000 members": (small) => `${small},"metadata":{${list(60_000, (at) => `"m${at}":0`)}}}`,
  "60,000 members of one name": (small) => `${small},${list(60_000, () => '"user":"a"')}}`,
  "1,000,001 values": (small) => `${small},"metadata":[${list(1_000_001, () => "0")}]}`,
  "a model with a name of 1 MB": (small) => ofModel(small, "x".repeat(1_000_000)),
};

const polluting = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';

const answered: Readonly<Record<string, Make>> = {
  "__proto__ and constructor": (small) => `${small},${polluting}}`,
  "__proto__ and constructor in metadata": (small) => `${small},"metadata":{"__proto__":"x","constructor":"x"}}`,
  "an escaped __proto__": (small) => `${small},"\\u005f_proto__":{"polluted":1}}`,
  "a lone surrogate": (small) => `${small},"user":"\\ud800"}`,
};

const spaces = Buffer.alloc(100_000_000, " ");
/** About 100 KB each. */
const bombs = [
  ["gzip", gzipSync(spaces)],
  ["deflate", deflateSync(spaces)],
] as const;

async function send(mount: string, path: string, body: string | Buffer, headers: readonly HeaderLine[] = []) {
  const { port, hostile } = attacked.at(mount);
  const [response] = await exchange(port, postOf(prefix + path, hostile, body, headers));
  return { status: response?.status, length: response?.body.length ?? 0 };
}

async function refuses(mount: string, { path, small }: AttackedDialect, bodies: Readonly<Record<string, Make>>) {
  for (const [title, make] of Object.entries(bodies)) {
    const { status, length } = await send(mount, path, make(small));
    expect.soft([400, 404], `the status of ${title}`).toContain(status);
    // What the client chooses, such as a name, may not make the error long.
    expect.soft(length, `the bytes of the error of ${title}`).toBeLessThan(1_000);
  }
  await expectQuiet(attacked, mount);
}

describe.each(attackedMounts)("%s", (mount) => {
  it.each(attackedDialects)("refuses broken and deep bodies of $name", (dialect) => refuses(mount, dialect, refused));

  it.each(attackedDialects)("answers $name with names of prototypes, which change none", async ({ path, small }) => {
    for (const [title, make] of Object.entries(answered)) {
      expect.soft((await send(mount, path, make(small))).status, title).toBe(200);
    }
    await expectQuiet(attacked, mount);
  });

  it.each(bombs)("refuses 100 MB that are compressed by %s to 100 KB", async (coding, bomb) => {
    expect(await send(mount, "/chat/completions", bomb, [["content-encoding", coding]])).toMatchObject({ status: 400 });
  });
});

// The gateway reads these bodies in the same way behind every mount.
describe.each(attackedMounts.slice(0, 2))("%s", (mount) => {
  it.each(attackedDialects)("refuses bodies of $name with too many values or too long names", (dialect) =>
    refuses(mount, dialect, refusedAndLarge),
  );
});
