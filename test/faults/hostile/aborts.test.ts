import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Moment } from "../../upstream/fault.ts";
import { textAnswer } from "../../upstream/model-answer.ts";
import type { Reply } from "../../upstream/send-reply.ts";
import { attackedMounts } from "./attacked-mounts.ts";
import { AttackedProcess } from "./attacked-process.ts";
import { expectQuiet } from "./expect-quiet.ts";
import { postOf, prefix, streamingDialects } from "./hostile-request.ts";

let attacked: AttackedProcess;
beforeAll(async () => {
  // A client that leaves before an answer in one piece would be charged for all of it.
  attacked = await AttackedProcess.start(attackedMounts, { money: { usageDrainMs: 200 } });
});
afterAll(() => attacked.stop());

const perDialect = 2;

/** A client that asks for a stream or for an answer in one piece. */
interface Leaver {
  readonly socket: Socket;
  readonly request: Buffer;
  /** What the last event of a stream contains. */
  readonly last: string;
  /** Resolves when the bytes received so far contain a text. */
  has(text: string): Promise<void>;
}

async function openAll(mount: string, stream: boolean): Promise<Leaver[]> {
  const { port, hostile } = attacked.at(mount);
  const dialects = Array.from({ length: perDialect }, () => streamingDialects).flat();
  return Promise.all(
    dialects.map(({ path, small, last }) =>
      open(port, postOf(prefix + path, hostile, `${small},"stream":${stream}}`), last),
    ),
  );
}

async function open(port: number, request: Buffer, last: string): Promise<Leaver> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes;
  });
  return {
    socket,
    request,
    last,
    async has(text) {
      while (!received.includes(text)) await once(socket, "data");
    },
  };
}

/** Half of the clients reset their connections, and the others close them. */
function leave(clients: readonly Leaver[]): void {
  for (const [at, { socket }] of clients.entries()) {
    if (at < streamingDialects.length) socket.resetAndDestroy();
    else socket.destroy();
  }
}

const answer = textAnswer(["Hel", "lo"]);
const hangingBefore = (before: Moment) => (): Reply => ({ answer, fault: { kind: "hang", before } });

/** Sends the requests and resolves when the upstream has received them all. */
async function sendAll(clients: readonly Leaver[]): Promise<void> {
  const before = attacked.upstream.requests.length;
  for (const { socket, request } of clients) socket.write(request);
  await expect.poll(() => attacked.upstream.requests.length - before, { timeout: 10_000 }).toBe(clients.length);
}

/** Fails unless the mount is quiet and the upstream calls of the last clients were aborted. */
async function expectAborted(mount: string, calls: number): Promise<void> {
  await expectQuiet(attacked, mount);
  const last = attacked.upstream.requests.slice(-calls);
  await expect.poll(() => last.filter(({ wasAborted }) => wasAborted).length).toBe(calls);
}

describe.each(attackedMounts)("%s: clients that leave", (mount) => {
  it.each([
    ["within the headers", 40],
    ["within the body", -10],
  ])("%s reach no upstream", async (_when, end) => {
    const clients = await openAll(mount, true);
    const before = attacked.upstream.requests.length;
    for (const { socket, request } of clients)
      await new Promise((done) => socket.write(request.subarray(0, end), done));
    leave(clients);
    await expectQuiet(attacked, mount);
    expect(attacked.upstream.requests).toHaveLength(before);
  });

  it.each([
    ["while the upstream is silent", true, "the first event"],
    ["before an answer in one piece", false, "the first event"],
    ["before the first content", true, "the first content"],
  ] as const)("%s abort the upstream call", async (_when, stream, moment) => {
    attacked.upstream.reply = hangingBefore(moment);
    const clients = await openAll(mount, stream);
    await sendAll(clients);
    leave(clients);
    await expectAborted(mount, clients.length);
  });

  it("within a stream abort the upstream call and pay for what they got", async () => {
    attacked.upstream.reply = hangingBefore("more content");
    const { books } = await attacked.report(mount);
    const clients = await openAll(mount, true);
    await sendAll(clients);
    await Promise.all(clients.map(({ has }) => has("Hel")));
    leave(clients);
    await expectAborted(mount, clients.length);
    expect((await attacked.report(mount)).books.charges).toBe(books.charges + clients.length);
  });

  it("after the last frame pay for the answer", async () => {
    attacked.upstream.reply = () => ({ answer });
    const { books } = await attacked.report(mount);
    const clients = await openAll(mount, true);
    await sendAll(clients);
    await Promise.all(clients.map(({ has, last }) => has(last)));
    leave(clients);
    const after = await expectQuiet(attacked, mount);
    expect(after.books.charges).toBe(books.charges + clients.length);
  });
});
