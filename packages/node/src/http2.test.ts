import { once } from "node:events";
import { connect, createServer } from "node:http2";
import { text } from "node:stream/consumers";
import type { Answer } from "@tollgate/core";
import { expect, it, onTestFinished } from "vitest";
import { unpaced } from "../test-support/unpaced.ts";
import { nodeHandler } from "./node-handler.ts";

/** What a client of HTTP/2 gets of an answer. */
async function exchange(answer: Answer): Promise<{ readonly status: unknown; readonly body: string }> {
  const gateway = {
    paths: ["/x"],
    endpoint: () => "x",
    answer: async () => answer,
    fetch: () => Promise.reject(new Error("No Fetch handler is mounted.")),
    unread: unpaced,
  };
  const handler = nodeHandler(gateway);
  // To the handler the requests of both versions are alike.
  const server = createServer().on("request", handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  const session = connect(`http://127.0.0.1:${address.port}`);
  onTestFinished(() => {
    session.destroy();
    server.close();
  });
  const stream = session.request({ ":path": "/x" });
  const [head] = await once(stream, "response");
  return { status: head[":status"], body: await text(stream) };
}

it("carries a text", async () => {
  const headers = { "content-type": "application/json", "content-length": "7" };
  expect(await exchange({ status: 200, headers, body: '{"a":1}' })).toEqual({ status: 200, body: '{"a":1}' });
});

it("carries a stream, whose chunks need no coding there", async () => {
  const body: Answer["body"] = {
    stalledMs: 1_000,
    taken: () => undefined,
    cancel: () => undefined,
    flow(sink) {
      sink.write(Buffer.from("data: 1\n\n"));
      setTimeout(() => {
        sink.write(Buffer.from("data: 2\n\n"));
        sink.close();
      }, 20);
    },
  };
  const headers = { "content-type": "text/event-stream" };
  expect(await exchange({ status: 200, headers, body })).toEqual({ status: 200, body: "data: 1\n\ndata: 2\n\n" });
});
