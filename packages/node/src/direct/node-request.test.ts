import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { bodyReceiver } from "../../test-support/body-receiver.ts";
import { chunk, post, type Received, receive } from "../../test-support/receive.ts";
import { NodeRequest } from "./index.ts";

const chunked = ["transfer-encoding: chunked"];

const requestOf = ({ req, res }: Received, body?: unknown): NodeRequest =>
  new NodeRequest(req, res, { path: "/chat", body, clientAddress: req.socket.remoteAddress });

const bodyOf = (request: NodeRequest, maxBytes: number) =>
  new Promise<Uint8Array | undefined>((resolve, reject) => request.readBody(maxBytes, bodyReceiver(resolve, reject)));

async function readToEnd({ req }: Received): Promise<void> {
  req.resume();
  await once(req, "end");
}

describe("header", () => {
  it("joins several of one name as Fetch does, and knows none that did not come", async () => {
    const headers = ["X-Tag: a", "x-tag: b", "Set-Cookie: c=1", "Set-Cookie: d=2", "content-length: 0"];
    const request = requestOf(await receive(post("", headers)));
    expect(request.header("x-tag")).toBe("a, b");
    expect(request.header("set-cookie")).toBe("c=1, d=2");
    expect(request.header("x-other")).toBeUndefined();
  });

  it("keeps both of two Authorization headers, of which Node knows one", async () => {
    const received = await receive(post("", ["Authorization: Bearer one", "AUTHORIZATION: Bearer two"]));
    expect(received.req.headers.authorization).toBe("Bearer one");
    expect(requestOf(received).header("authorization")).toBe("Bearer one, Bearer two");
    const single = await receive(post("", ["Authorization: Bearer one"]));
    expect(requestOf(single).header("authorization")).toBe("Bearer one");
    expect(requestOf(await receive(post())).header("authorization")).toBeUndefined();
  });
});

it("has the URL that the client wrote, also when Express has shortened it", async () => {
  const received = await receive(post());
  Object.assign(received.req, { originalUrl: "/router/v1/chat?a=1" });
  expect(requestOf(received)).toMatchObject({ method: "POST", url: "/router/v1/chat?a=1", path: "/chat" });
  expect(requestOf(await receive(post())).url).toBe("/v1/chat");
});

describe("parsedBody", () => {
  it("is what the host made of a body that it has read", async () => {
    const received = await receive(post('{"a":1}'));
    await readToEnd(received);
    for (const body of [{ a: 1 }, "", Buffer.alloc(1)]) expect(requestOf(received, body).parsedBody).toBe(body);
  });

  it("is nothing while the body is unread, whatever a parser has put there", async () => {
    const received = await receive(post('{"a":1}'));
    const request = requestOf(received, {});
    expect(request.parsedBody).toBeUndefined();
    expect(await bodyOf(request, 7)).toEqual(Buffer.from('{"a":1}'));
  });

  it.each([
    ["no header that tells of it", post("", [])],
    ["a length of 0", post()],
    ["chunks", post("0\r\n\r\n", chunked)],
  ])("is an empty text when a body with %s has ended before", async (_form, bytes) => {
    const received = await receive(bytes);
    await readToEnd(received);
    expect(requestOf(received).parsedBody).toBe("");
  });

  it.each([
    ["a length", post('{"a":1}')],
    ["chunks", post(`${chunk('{"a":1}')}0\r\n\r\n`, chunked)],
  ])("throws what to do when a body with %s was read and not kept", async (_form, bytes) => {
    const received = await receive(bytes);
    await readToEnd(received);
    expect(() => requestOf(received)).toThrow("Mount Tollgate before the middleware that reads the body, or store the body in req.body.");
  });

  it("throws for a body of which a part was read", async () => {
    const received = await receive(post(chunk("{"), chunked));
    received.req.once("data", () => received.req.pause());
    await once(received.req, "data");
    expect(() => requestOf(received)).toThrow("req.body is not set");
  });
});

describe("readBody", () => {
  it("begins no body whose declared length is too large", async () => {
    const received = await receive(post("12345678"));
    expect(await bodyOf(requestOf(received), 7)).toBeUndefined();
    expect(received.req.readableFlowing).toBeNull();
    expect(await bodyOf(requestOf(received), 8)).toEqual(Buffer.from("12345678"));
  });

  it("gives no bytes for a request that has none", async () => {
    expect(await bodyOf(requestOf(await receive(post("", []))), 0)).toHaveLength(0);
  });
});
