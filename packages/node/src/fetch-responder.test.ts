import { buffer } from "node:stream/consumers";
import type { HostContext, Mountable } from "@tollgate/core";
import type { UnreadResponses } from "@tollgate/core/internal";
import { Response } from "@whatwg-node/server";
import { expect, it } from "vitest";
import { post, type Received, receive } from "../test-support/receive.ts";
import { silentDiagnostics } from "../test-support/silent-diagnostics.ts";
import { withoutBackpressure } from "../test-support/without-backpressure.ts";
import { fetchResponder } from "./fetch-responder.ts";
import type { MountedRequest } from "./mounted-request.ts";

/** More bytes than the buffers of both sockets hold when the client does not read. */
const tooMuch = Buffer.alloc(16_777_216, "x");

/** Records the watched byte counts and the function that closes the connection. */
class RecordedUnread implements UnreadResponses {
  readonly watched: number[] = [];
  cut: () => void = () => undefined;
  read = 0;
  readonly withBackpressure = withoutBackpressure.withBackpressure;

  watch(bytes: number, cut: () => void): () => void {
    this.watched.push(bytes);
    this.cut = cut;
    return () => {
      this.read += 1;
    };
  }
}

async function respond({ req, res }: Received, fetch: Mountable["fetch"], given: Partial<MountedRequest> = {}) {
  const unread = new RecordedUnread();
  const handle = () => Promise.reject(new Error("This gateway only implements `fetch`."));
  const gateway: Mountable = {
    paths: [],
    endpoint: () => "any",
    unread,
    diagnostics: silentDiagnostics,
    handle,
    fetch,
  };
  const failures: unknown[] = [];
  const mounted = { path: "/x", body: undefined, clientAddress: undefined, ...given };
  await fetchResponder(gateway)(req, res, mounted, (cause) => failures.push(cause));
  return { unread, failures };
}

const streamed = async () => {
  const start = (controller: ReadableStreamDefaultController<BufferSource>) => {
    controller.enqueue(Buffer.from("head"));
    controller.enqueue(tooMuch);
    controller.close();
  };
  return new Response(new ReadableStream({ start }));
};

it("allows a stream to be closed when the client does not read its last bytes", async () => {
  const received = await receive(post());
  const { unread } = await respond(received, streamed);
  await expect.poll(() => unread.watched.length).toBe(1);
  expect(unread.watched[0]).toBeGreaterThan(0);
  unread.cut();
  await expect.poll(() => received.res.closed).toBe(true);
  expect([received.res.writableFinished, unread.read]).toEqual([false, 1]);
});

it("stops counting a stream once the client has read it", async () => {
  const received = await receive(post("", ["content-length: 0", "connection: close"]));
  const { unread } = await respond(received, streamed);
  await expect.poll(() => unread.watched.length).toBeGreaterThan(0);
  expect((await buffer(received.client)).includes("head")).toBe(true);
  await expect.poll(() => received.res.closed).toBe(true);
  expect(unread.read).toBe(unread.watched.length);
});

it("allows a long text response to be closed when the client does not read it", async () => {
  const received = await receive(post());
  const { unread } = await respond(received, async () => new Response(String(tooMuch)));
  expect(unread.watched).toEqual([expect.any(Number)]);
  unread.cut();
  await expect.poll(() => received.res.closed).toBe(true);
});

it.each([
  ["/v1/x?a=1", "/v1/x?a=1", "/v1/x"],
  ["http://other.test/v1/x?a=1", "/v1/x?a=1", "/v1/x"],
])("passes the path and query of %s and all Authorization headers to the gateway", async (target, url, path) => {
  const head = `GET ${target} HTTP/1.1\r\nhost: h.test\r\nauthorization: one\r\nauthorization: two\r\nconnection: close\r\n\r\n`;
  const seen: unknown[] = [];
  await respond(await receive(head), async (request) => {
    seen.push(request.url, new URL(request.url).pathname, request.headers.get("authorization"));
    return new Response(null, { status: 204 });
  });
  expect(seen).toEqual([`http://h.test${url}`, path, "one, two"]);
});

it("reads a body that the host has not read, even if the host has set `req.body`", async () => {
  const received = await receive(post("whole", ["content-length: 5", "connection: close"]));
  Object.assign(received.req, { body: { of: "the host" }, query: { a: "1" } });
  const seen: unknown[] = [];
  const note = async (request: Request, host?: HostContext) => {
    seen.push(await request.text(), host?.parsedBody, request.url);
    return new Response(null, { status: 204 });
  };
  await respond(received, note, { body: { of: "the host" } });
  expect(seen).toEqual(["whole", undefined, "http://gateway.test/v1/chat"]);
});

it("reports to the host an error that occurs before anything is sent", async () => {
  const cause = new Error("It failed.");
  const received = await receive(post());
  const { failures } = await respond(received, () => Promise.reject(cause));
  expect([failures, received.res.headersSent]).toEqual([[cause], false]);
});
