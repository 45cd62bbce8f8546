import { once } from "node:events";
import { expect } from "vitest";
import { textAnswer } from "../../upstream/model-answer.ts";
import type { Reply } from "../../upstream/send-reply.ts";
import { form } from "../form.ts";
import { exchange } from "./exchange.ts";
import { operatorToken } from "./host-report.ts";
import { headOf, postOf, prefix, smallChat, streamingDialects } from "./hostile-request.ts";
import { destroyAll, openUnread } from "./open-unread.ts";
import { SlowReader } from "./slow-reader.ts";
import type { Attack } from "./withstand.ts";

/** A request for a stream, in one dialect after another. `prompt` has two letters. */
const streamOf = (secret: string, at: number, prompt: keyof typeof answers = "Hi") => {
  const { path, small } = streamingDialects[at % streamingDialects.length] ?? streamingDialects[0];
  return postOf(prefix + path, secret, `${small.replace("Hi", prompt)},"stream":true}`);
};

const repeat = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const isStream = (body: Readonly<Record<string, unknown>>): boolean => body["stream"] === true;

const short = textAnswer(["Hel", "lo"]);
/** Streams by their prompt. The second is longer than what the operating system takes for a client, which is about 4 MB. */
const answers = {
  Hi: textAnswer(repeat(4, () => "x".repeat(16_384))),
  No: textAnswer(repeat(100, () => "x".repeat(65_536))),
};

const streamAnswers = ({
  body,
  text,
}: {
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}) => ({
  answer: isStream(body) ? answers[text.includes('"No"') ? "No" : "Hi"] : short,
});

/** Streams that wait for their upstream after the first content. */
export const idleStreams: Attack = {
  title: "1,000 idle streams",
  growthMB: 150,
  stillOpen: 1_000,
  async begin({ port, hostile }, { upstream }) {
    upstream.reply = ({ body }): Reply => ({
      answer: short,
      ...(isStream(body) ? { fault: { kind: "hang", before: "more content" } } : {}),
    });
    const requests = repeat(1_000, (at) => streamOf(hostile, at));
    const sockets = await openUnread(port, requests);
    await Promise.all(sockets.map((socket) => once(socket.resume(), "data")));
    return destroyAll(sockets);
  },
  check: ({ books }) => expect(books.holds).toBe(1_000),
};

/** Requests that are never complete. */
export const slowRequests: Attack = {
  title: "300 clients that stop within the headers and 300 within the body",
  growthMB: 100,
  stillOpen: 600,
  async begin({ port, hostile }) {
    const whole = postOf(`${prefix}/chat/completions`, hostile, smallChat);
    const parts = repeat(600, (at) => whole.subarray(0, at % 2 === 0 ? 60 : -10));
    return destroyAll(await openUnread(port, parts));
  },
  check: ({ books }) => expect(books.holds).toBe(0),
};

const longUnread = form === "long" ? 100 : 20;

/** Streams that are not read. The longest fill all buffers, and the others are as long as those of the clients that read. */
export const unreadStreams: Attack = {
  title: "200 clients that never read beside 200 that do",
  growthMB: 300,
  stillOpen: longUnread,
  async begin({ port, hostile, steady }, { upstream }) {
    upstream.reply = streamAnswers;
    const unread = repeat(200, (at) => streamOf(hostile, at, at < longUnread ? "No" : "Hi"));
    const sockets = await openUnread(port, unread);
    const reading = repeat(200, (at) => exchange(port, streamOf(steady, at)));
    for (const [response] of await Promise.all(reading)) {
      expect(response).toMatchObject({ status: 200, complete: true });
    }
    return destroyAll(sockets);
  },
};

const slow = form === "long" ? 50 : 10;

/** Long streams that are read slowly, and only in part until the attack ends. */
export const slowReaders: Attack = {
  title: `${slow} clients that read slowly`,
  growthMB: 200,
  stillOpen: slow,
  async begin({ port, hostile }, { upstream }) {
    upstream.reply = streamAnswers;
    // Not in Responses, whose last events repeat the whole text: those of several clients exceed the limit of unread bytes.
    const requests = repeat(slow, (at) => streamOf(hostile, at % 2, "No"));
    const readers = (await openUnread(port, requests)).map((socket) => new SlowReader(socket, 100_000));
    return async () => {
      for (const response of await Promise.all(readers.map((reader) => reader.readRest()))) {
        expect(response).toMatchObject({ status: 200, complete: true });
      }
    };
  },
};

const spaces = Buffer.alloc(50_000_000, " ");

/** Bodies beyond the limit, one after another on eight connections. */
export const largeBodies: Attack = {
  title: "8 clients that send bodies of 50 MB all the time",
  growthMB: 250,
  stillOpen: 0,
  async begin({ port, hostile }) {
    const path = `${prefix}/chat/completions`;
    const close = ["connection", "close"] as const;
    const declared = headOf("POST", path, hostile, [["content-length", spaces.length], close]);
    const chunks = headOf("POST", path, hostile, [["transfer-encoding", "chunked"], close]);
    const chunked = `${chunks}${spaces.length.toString(16)}\r\n`;
    const statuses: (number | undefined)[] = [];
    let isOver = false;
    const sendAll = async (head: string) => {
      while (!isOver) {
        const [response] = await exchange(port, [Buffer.from(head), spaces]);
        statuses.push(response?.status);
      }
    };
    const clients = repeat(8, (at) => sendAll(at % 2 === 0 ? declared : chunked));
    return async () => {
      isOver = true;
      await Promise.all(clients);
      // 503 if too many bytes of the key's bodies are in memory; undefined if a server without a lingering close resets.
      expect([413, 503, undefined]).toEqual(expect.arrayContaining([...new Set(statuses)]));
      expect(statuses).toContain(413);
      expect(statuses.length).toBeGreaterThanOrEqual(8);
    };
  },
};

/** Lists, documents and pages that are not read. */
export const unreadPages: Attack = {
  title: "400 unread pages",
  options: { listedModels: 400 },
  growthMB: 300,
  // The operating system takes the shorter pages, after which their idle connections are closed.
  stillOpen: 0,
  async begin({ port, hostile }) {
    const [page] = await exchange(port, headOf("GET", "/ops/", operatorToken, [["connection", "close"]]));
    const script = /assets\/[^"]+\.js/.exec(page?.body ?? "")?.[0] ?? expect.fail("The page has no script.");
    const asks = [
      ...["/models", "/openapi.json"].map((path) => headOf("GET", prefix + path, hostile)),
      ...["/ops/", `/ops/${script}`, "/ops/api/models"].map((path) => headOf("GET", path, operatorToken)),
    ];
    const requests = repeat(400, (at) => asks[at % asks.length] ?? "");
    return destroyAll(await openUnread(port, requests));
  },
};
