import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attackedMounts } from "./attacked-mounts.ts";
import { AttackedProcess } from "./attacked-process.ts";
import { exchange } from "./exchange.ts";
import { expectQuiet } from "./expect-quiet.ts";
import { type HeaderLine, headOf, postOf, prefix, smallChat } from "./hostile-request.ts";

let attacked: AttackedProcess;
beforeAll(async () => {
  attacked = await AttackedProcess.start(attackedMounts, { bodies: { stalledMs: 200 } });
});
afterAll(() => attacked.stop());

const body = smallChat;
const hex = (text: string) => text.length.toString(16);
const inChunks = `${hex(body)}\r\n${body}\r\n0\r\n\r\n`;

const json: HeaderLine = ["content-type", "application/json"];
const length: HeaderLine = ["content-length", body.length];
const chunked: HeaderLine = ["transfer-encoding", "chunked"];
const close: HeaderLine = ["connection", "close"];
const many = (count: number): HeaderLine[] => Array.from({ length: count }, () => ["a", "1"] as const);

/** Returns the bytes of a request with a key. */
type Write = (secret: string) => string;

const post =
  (text: string, ...headers: readonly HeaderLine[]): Write =>
  (secret) =>
    headOf("POST", `${prefix}/chat/completions`, secret, [json, ...headers]) + text;

/** The statuses of a response, of which one is expected, and the requests. */
type Cases = readonly (readonly [title: string, statuses: readonly number[], write: Write])[];

const refused: Cases = [
  ["a content-length that is too long", [408], post(body, ["content-length", body.length + 10])],
  ["a content-length that is too short", [400], post(body, ["content-length", body.length - 10])],
  ["a negative content-length", [400], post(body, ["content-length", -5])],
  ["a content-length with a sign", [400], post(body, ["content-length", `+${body.length}`])],
  ["a content-length that is a list", [400], post(body, ["content-length", `${body.length}, ${body.length}`])],
  ["a content-length of 31 digits", [400], post(body, ["content-length", "9".repeat(31)])],
  ["a content-length of 2^63 - 1", [413], post(body, ["content-length", "9223372036854775807"])],
  ["two content-lengths", [400], post(body, length, ["content-length", body.length + 1])],
  ["a content-length and chunks", [400], post(inChunks, length, chunked)],
  ["an unknown transfer coding", [400], post(inChunks, ["transfer-encoding", "xchunked"])],
  ["a coding after chunked", [400], post(inChunks, ["transfer-encoding", "chunked, identity"])],
  ["a chunk size that is no number", [400], post(`zz\r\n${body}\r\n0\r\n\r\n`, chunked)],
  ["a negative chunk size", [400], post(`-5\r\n${body}\r\n0\r\n\r\n`, chunked)],
  ["a chunk size of 72 bits", [400], post(`${"f".repeat(18)}\r\n${body}\r\n0\r\n\r\n`, chunked)],
  ["a chunk size that is too short", [400], post(`5\r\n${body}\r\n0\r\n\r\n`, chunked)],
  ["a chunk without an end of its line", [400], post(`${hex(body)}\r\n${body}0\r\n\r\n`, chunked)],
  ["chunks without a last chunk", [408], post(`${hex(body)}\r\n${body}\r\n`, chunked)],
  ["80 KB of chunk extensions", [400, 413], post(`${hex(body)};${"a=b;".repeat(20_000)}\r\n${body}\r\n`, chunked)],
  ["120 KB of trailers", [431], post(`${inChunks.slice(0, -2)}${"x: y\r\n".repeat(20_000)}\r\n`, chunked)],
  ["a header of 64 KB", [431], post(body, length, ["x-flood", "x".repeat(64_000)])],
  ["100,000 headers", [431], post(body, length, ...many(100_000))],
  ["a header with a carriage return", [400], post(body, length, ["x-a", "b\rc"])],
  ["a header with a NUL", [400], post(body, length, ["x-a", "b\0c"])],
  ["a header over two lines", [400], post(body, length, ["x-a", "b\r\n c"])],
  ["a TLS handshake", [400], () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ["the preface of HTTP/2", [400], () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["an unknown version", [400], (secret) => post(body, length)(secret).replace("HTTP/1.1", "HTTP/9.9")],
];

const answered: Cases = [
  [
    "one byte in each chunk",
    [200],
    post(`${Array.from(body, (byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`, chunked, close),
  ],
  ["2,500 headers", [200], post(body, length, close, ...many(2_500))],
  ["a request for an upgrade", [200], post(body, length, ["upgrade", "websocket"], ["connection", "upgrade, close"])],
];

/** Requests of clients that close their side of the connection. */
const halfOpen: Readonly<Record<string, Write>> = {
  "within the headers": (secret) => post(body, length)(secret).slice(0, 60),
  "within the body": (secret) => post(body, length)(secret).slice(0, -10),
  "within a chunk": post(`${hex(body)}\r\n${body.slice(0, 20)}`, chunked),
  "after the request": post(body, length),
};

/** Paths below the prefix at which no mount has an endpoint, or which have no model. */
const noEndpoints = [
  "%2f",
  "chat%2fcompletions",
  "chat/completions%00",
  "chat/completions/",
  "models;x=1",
  "models/%2e%2e%2f%2e%2e%2f",
  "models/%zz",
  "models/%",
  "models/%c0%ae%c0%ae",
  "models/%ff",
  "models/%00",
  "models/a%2fb",
  "models/__proto__",
  "models/constructor",
  "responses/__proto__",
  `models/${"%2e%2e%2f".repeat(1_500)}`,
  "a/".repeat(7_000),
  "x".repeat(70_000),
];

/** Paths that some routers and URL parsers normalize to endpoints. */
const normalized = [
  "%63hat/completions",
  "/chat/completions",
  "models/%2e%2e/chat/completions",
  "../../ops/api/me",
  "%2e%2e/%2e%2e/ops/api/me",
];

const all = <T>(cases: readonly T[], check: (one: T) => Promise<void>) => Promise.all(cases.map(check));

describe.each(attackedMounts)("%s", (mount) => {
  const statuses = async (bytes: string | Buffer, isHalfOpen = false) =>
    (await exchange(attacked.at(mount).port, bytes, isHalfOpen)).map(({ status }) => status);

  it("refuses requests with broken framing and floods of headers, and closes their connections", async () => {
    await all(refused, async ([title, expected, write]) => {
      const [status] = await statuses(write(attacked.at(mount).hostile));
      expect.soft(expected, title).toContain(status);
    });
    await expectQuiet(attacked, mount);
  });

  it("answers unusual framing that is valid", async () => {
    await all(answered, async ([title, expected, write]) => {
      expect.soft(await statuses(write(attacked.at(mount).hostile)), title).toEqual(expected);
    });
    await expectQuiet(attacked, mount);
  });

  it("answers no client that closes its side of the connection, and holds nothing for it", async () => {
    for (const [title, write] of Object.entries(halfOpen)) {
      const seen = await statuses(write(attacked.at(mount).hostile), true);
      expect
        .soft(
          seen.filter((status) => status !== 400),
          title,
        )
        .toEqual([]);
    }
    await expectQuiet(attacked, mount);
  });

  it("answers 100 pipelined requests in order", async () => {
    const { hostile } = attacked.at(mount);
    const ask = (path: string, ...headers: HeaderLine[]) => headOf("GET", prefix + path, hostile, headers);
    const paths = Array.from({ length: 100 }, (_, at) =>
      at % 3 === 0 ? "/models" : at % 3 === 1 ? "/none" : "/models/plain",
    );
    const expected = paths.map((path) => (path === "/none" ? 404 : 200));
    expect(await statuses(paths.map((path, at) => ask(path, ...(at === 99 ? [close] : []))).join(""))).toEqual(
      expected,
    );
    await expectQuiet(attacked, mount);
  });

  it("has no endpoint at encoded and overlong paths", async () => {
    const { hostile } = attacked.at(mount);
    await all(noEndpoints, async (path) => {
      const asked = `${prefix}/${path}`;
      const [got] = await statuses(headOf("GET", asked, hostile, [close]));
      expect.soft([400, 404, 431], asked.slice(0, 60)).toContain(got);
      const [posted] = await statuses(postOf(asked, hostile, body));
      expect.soft([400, 404, 405, 431], asked.slice(0, 60)).toContain(posted);
    });
    await expectQuiet(attacked, mount);
  });

  it("asks for a key at every path that is normalized", async () => {
    await all(normalized, async (path) => {
      const asked = `${prefix}/${path}`;
      for (const bytes of [headOf("GET", asked, "none", [close]), postOf(asked, "none", body)]) {
        const [status] = await statuses(bytes);
        expect.soft([401, 404, 405], asked).toContain(status);
      }
    });
    await expectQuiet(attacked, mount);
  });
});
