import type { GatewayOptions } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";
import type { Mount, Variant } from "./mounts/mount.ts";
import { mounted } from "./mounts/mounts.ts";
import { RawConnection } from "./raw-connection.ts";

const prefix = "/router/v1";
const megabyte = 1024 * 1024;
/** More than the buffers of a connection take. */
const long = 12 * megabyte;

async function setScene(mount: Mount, variant: Variant, bytes: number, streams: GatewayOptions["streams"] = {}) {
  const tested = gatewayUnderTest({ streams });
  tested.provider.script = { complete: async () => completionOf("x".repeat(bytes)) };
  const host = await mount.start({ [prefix]: tested.gateway }, variant);
  const secret = await tested.key();
  const body = JSON.stringify({ model: "plain", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] });
  const request = `POST ${prefix}/chat/completions HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${secret}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  return { host, request, answered: () => tested.events.filter(({ type }) => type === "request.completed").length };
}

describe.each(mounted.filter(({ variant }) => variant !== "parsed"))("$title", ({ mount, variant }) => {
  it("cuts a client that never reads a long answer, so that a server that closes waits for nobody", async () => {
    const { host, request, answered } = await setScene(mount, variant, long, { stalledMs: 200 });
    const clients = await Promise.all([1, 2, 3].map(() => RawConnection.open(host.port)));
    for (const client of clients) {
      client.stopReading();
      client.write(request);
    }
    await expect.poll(answered).toBe(3);
    await host.close();
    for (const client of clients) client.leave();
  });

  it("gives a client that reads all of a long answer, and the next one on its connection", async () => {
    const { host, request } = await setScene(mount, variant, 3 * megabyte);
    const client = await RawConnection.open(host.port);
    for (let n = 0; n < 2; n++) {
      client.write(request);
      const { status, body } = await client.response();
      expect(status).toBe(200);
      expect(JSON.parse(body).choices[0].message.content).toHaveLength(3 * megabyte);
    }
    client.leave();
    await host.close();
  });

  it("cuts clients that do not read when together they hold too much, and serves one that does", async () => {
    const { host, request, answered } = await setScene(mount, variant, long, { maxBufferedBytes: 2 * long });
    const idle = await Promise.all(Array.from({ length: 6 }, () => RawConnection.open(host.port)));
    for (const client of idle) {
      client.stopReading();
      client.write(request);
    }
    await expect.poll(answered).toBe(6);
    const reader = await RawConnection.open(host.port);
    // While nobody has been idle for a second, the newest gives way.
    await expect
      .poll(
        async () => {
          const client = await RawConnection.open(host.port);
          client.write(request);
          return client.response().then(
            ({ complete }) => complete,
            () => false,
          );
        },
        { timeout: 10_000 },
      )
      .toBe(true);
    reader.leave();
    for (const client of idle) client.readOn();
    const whole = await Promise.all(
      idle.map((client) =>
        client.response().then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(whole.filter(Boolean).length).toBeLessThanOrEqual(3);
    for (const client of idle) client.leave();
  });
});
