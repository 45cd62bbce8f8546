import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { createServer, connect as netConnect } from "node:net";
import { createSecureContext } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Connect, type CreateRequest, pinnedLookup, requireConnectHook } from "./connect-hook.ts";
import { dial } from "./dial.ts";

describe("requireConnectHook", () => {
  it("accepts this runtime", () => expect(() => requireConnectHook()).not.toThrow());

  it("throws `unguarded_runtime` on a runtime that does not call the hook", () => {
    expect(() => requireConnectHook(withoutHook(1))).toThrow(expect.objectContaining({ code: "unguarded_runtime" }));
    expect(() => requireConnectHook(withoutHook(1))).toThrow("pass a WebhookRunner of your own");
  });

  it.each<[string, CreateRequest]>([
    ["refuses sockets", () => fail("The options.createConnection option is not implemented")],
    ["does not ask for a socket", () => httpRequest({ host: "127.0.0.1", port: 1 })],
  ])("throws it on a runtime whose request %s", (_case, createRequest) => {
    expect(() => requireConnectHook(netConnect, createRequest)).toThrow(
      expect.objectContaining({ code: "unguarded_runtime" }),
    );
  });
});

describe("pinnedLookup", () => {
  it("returns the checked addresses in both formats for any name", () => {
    const lookup = pinnedLookup(["10.0.0.1", "fd12:0:0:0:0:0:0:1"]);
    const answers: unknown[][] = [];
    lookup("any", { all: true }, (...answer) => answers.push(answer));
    lookup("any", {}, (...answer) => answers.push(answer));
    expect(answers).toEqual([
      [
        null,
        [
          { address: "10.0.0.1", family: 4 },
          { address: "fd12:0:0:0:0:0:0:1", family: 6 },
        ],
      ],
      [null, "10.0.0.1", 4],
    ]);
  });
});

describe("dial", () => {
  it("sends nothing to an unchecked address, even if the socket is connected to it", async () => {
    const received: unknown[] = [];
    const server = createServer((socket) => socket.on("data", (data) => received.push(data)));
    server.listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const target = { secure: false, host: "example.test", port, authority: "", path: "/", opened: true };
    const policy = { connectMs: 5_000, secureContext: createSecureContext() };
    const { signal } = new AbortController();
    const dialing = dial(target, ["127.0.0.2"], policy, signal, withoutHook(port));
    await expect(dialing).rejects.toMatchObject({ failure: "blocked_target" });
    expect(received).toEqual([]);
    const connected = await dial(target, ["127.0.0.1"], policy, signal);
    expect(connected.remoteAddress).toBe("127.0.0.1");
    connected.destroy();
  });
});

function fail(message: string): never {
  throw new Error(message);
}

/** Simulates a runtime that ignores the lookup hook and connects to 127.0.0.1. */
function withoutHook(port: number): Connect {
  return () => netConnect({ host: "127.0.0.1", port });
}
