import type { IncomingMessage, ServerResponse } from "node:http";
import type { UnreadResponses } from "@tollgate/core/internal";
import { describe, expect, it } from "vitest";
import { post, receive } from "../test-support/receive.ts";
import { watchUnread } from "./mounted-request.ts";

/** Sends three requests at once on one connection. The first one is not answered, so that the others wait. */
async function pipelined() {
  const responses: ServerResponse[] = [];
  const take = (_req: IncomingMessage, res: ServerResponse) => void responses.push(res);
  const { client } = await receive(post().repeat(3), take);
  const [first, second, third] = responses;
  if (first === undefined || second === undefined || third === undefined) throw new Error("There are three.");
  const cuts: (() => void)[] = [];
  let counted = 0;
  const unread: UnreadResponses = {
    withBackpressure: (answer) => answer,
    watch(bytes, cut) {
      counted += bytes;
      cuts.push(cut);
      return () => {
        counted -= bytes;
      };
    },
  };
  return { client, first, second, third, unread, cuts, counted: () => counted };
}

describe("a response that waits for an earlier one of its connection", () => {
  it("counts until it is sent", async () => {
    const { first, second, unread, counted } = await pipelined();
    second.end("x".repeat(1_000));
    watchUnread(second, unread);
    expect(counted()).toBeGreaterThan(1_000);
    first.end();
    await expect.poll(counted).toBe(0);
  });

  it("counts until its connection closes", async () => {
    const { client, second, third, unread, counted } = await pipelined();
    for (const res of [second, third]) {
      res.end("x".repeat(1_000));
      watchUnread(res, unread);
    }
    client.resetAndDestroy();
    await expect.poll(counted).toBe(0);
  });

  it("closes the connection when it is cut, after which nothing counts", async () => {
    const { first, second, third, unread, cuts, counted } = await pipelined();
    second.end("x".repeat(1_000));
    watchUnread(second, unread);
    const closed = new Promise((resolve) => first.req.socket.once("close", resolve));
    cuts[0]?.();
    await closed;
    third.end("x".repeat(1_000));
    watchUnread(third, unread);
    expect(counted()).toBe(0);
  });
});
