import { once } from "node:events";
import { createServer, connect as netConnect } from "node:net";
import { createSecureContext } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Connect, pinnedLookup, requireConnectHook } from "./connect-hook.ts";
import { dial } from "./dial.ts";

describe("requireConnectHook", () => {
  it("passes this runtime", () => expect(() => requireConnectHook()).not.toThrow());

  it("throws `unguarded_runtime` on one that does not ask the hook", () => {
    expect(() => requireConnectHook(deaf(1))).toThrow(expect.objectContaining({ code: "unguarded_runtime" }));
    expect(() => requireConnectHook(deaf(1))).toThrow("pass a WebhookRunner of your own");
  });
});

describe("pinnedLookup", () => {
  it("answers in both shapes with what was checked, whatever the name", () => {
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
  it("sends nothing to an address that was not checked, although the socket is connected to it", async () => {
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
    const dialled = dial(target, ["127.0.0.2"], policy, signal, deaf(port));
    await expect(dialled).rejects.toMatchObject({ failure: "blocked_target" });
    expect(received).toEqual([]);
    const sound = await dial(target, ["127.0.0.1"], policy, signal);
    expect(sound.remoteAddress).toBe("127.0.0.1");
    sound.destroy();
  });
});

/** A runtime that takes the lookup hook, does not ask it, and connects to where it likes. */
function deaf(port: number): Connect {
  return () => netConnect({ host: "127.0.0.1", port });
}
