import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { bodyReceiver } from "../../test-support/body-receiver.ts";
import { chunk, post, type Received, receive } from "../../test-support/receive.ts";
import { silentDiagnostics } from "../../test-support/silent-diagnostics.ts";
import { NodeRequest } from "./index.ts";

const chunked = ["transfer-encoding: chunked"];

const requestOf = ({ req, res }: Received, body?: unknown): NodeRequest =>
  new NodeRequest(req, res, { path: "/chat", body, clientAddress: req.socket.remoteAddress }, silentDiagnostics);

const bodyOf = (request: NodeRequest, maxBytes: number) =>
  new Promise<Uint8Array | undefined>((resolve, reject) => request.readBody(maxBytes, bodyReceiver(resolve, reject)));

async function readToEnd({ req }: Received): Promise<void> {
  req.resume();
  await once(req, "end");
}

describe("header", () => {
  it("joins repeated headers as Fetch does, and returns undefined for an absent header", async () => {
    const headers = ["X-Tag: a", "x-tag: b", "Set-Cookie: c=1", "Set-Cookie: d=2", "content-length: 0"];
    const request = requestOf(await receive(post("", headers)));
    expect(request.header("x-tag")).toBe("a, b");
    expect(request.header("set-cookie")).toBe("c=1, d=2");
    expect(request.header("x-other")).toBeUndefined();
  });

  it("returns both Authorization headers, although Node keeps only the first", async () => {
    const received = await receive(post("", ["Authorization: Bearer one", "AUTHORIZATION: Bearer two"]));
    expect(received.req.headers.authorization).toBe("Bearer one");
    expect(requestOf(received).header("authorization")).toBe("Bearer one, Bearer two");
    const single = await receive(post("", ["Authorization: Bearer one"]));
    expect(requestOf(single).header("authorization")).toBe("Bearer one");
    expect(requestOf(await receive(post())).header("authorization")).toBeUndefined();
  });
});

it("returns the URL that the client sent, even when Express has shortened it", async () => {
  const received = await receive(post());
  Object.assign(received.req, { originalUrl: "/router/v1/chat?a=1" });
  expect(requestOf(received)).toMatchObject({ method: "POST", url: "/router/v1/chat?a=1", path: "/chat" });
  expect(requestOf(await receive(post())).url).toBe("/v1/chat");
});

describe("parsedBody", () => {
  it("is the value that the host parsed from a body it has read", async () => {
    const received = await receive(post('{"a":1}'));
    await readToEnd(received);
    for (const body of [{ a: 1 }, "", Buffer.alloc(1)]) expect(requestOf(received, body).parsedBody).toBe(body);
  });

  it("is undefined while the body is unread, even if a parser has set `req.body`", async () => {
    const received = await receive(post('{"a":1}'));
    const request = requestOf(received, {});
    expect(request.parsedBody).toBeUndefined();
    expect(await bodyOf(request, 7)).toEqual(Buffer.from('{"a":1}'));
  });

  it.each([
    ["no length and no transfer coding", post("", [])],
    ["a length of 0", post()],
    ["chunks", post("0\r\n\r\n", chunked)],
  ])("is an empty string when an empty body with %s has already ended", async (_form, bytes) => {
    const received = await receive(bytes);
    await readToEnd(received);
    expect(requestOf(received).parsedBody).toBe("");
  });

  it.each([
    ["a length", post('{"a":1}')],
    ["chunks", post(`${chunk('{"a":1}')}0\r\n\r\n`, chunked)],
  ])("throws an error with a solution when a body with %s was read and not kept", async (_form, bytes) => {
    const received = await receive(bytes);
    await readToEnd(received);
    expect(() => requestOf(received)).toThrow(
      "Mount Tollgate before the middleware that reads the body, or store the body in req.body.",
    );
  });

  it("throws when part of the body was read", async () => {
    const received = await receive(post(chunk("{"), chunked));
    received.req.once("data", () => received.req.pause());
    await once(received.req, "data");
    expect(() => requestOf(received)).toThrow("req.body is not set");
  });
});

describe("readBody", () => {
  it("does not start to read a body whose declared length is too large", async () => {
    const received = await receive(post("12345678"));
    expect(await bodyOf(requestOf(received), 7)).toBeUndefined();
    expect(received.req.readableFlowing).toBeNull();
    expect(await bodyOf(requestOf(received), 8)).toEqual(Buffer.from("12345678"));
  });

  it("resolves with no bytes for a request without a body", async () => {
    expect(await bodyOf(requestOf(await receive(post("", []))), 0)).toHaveLength(0);
  });
});
