import { describe, expect, it } from "vitest";
import { completionOf } from "../support/scripted-provider.ts";
import type { HttpMessage } from "./http-message.ts";
import { mounted, mountedWith } from "./mounts/mounts.ts";
import type { RawConnection } from "./raw-connection.ts";
import { maxBodyBytes, prefix, type Scene, setScene } from "./scene.ts";

// More than the buffers of a connection, so that a server that stops reading blocks the client.
const farTooLarge = 12 * 1024 * 1024;

const textOf = (bytes: number) =>
  JSON.stringify({ model: "plain", messages: [{ role: "user", content: "x".repeat(bytes) }] });

function chunkedChat(scene: Scene, text: string): string {
  const headers = { "transfer-encoding": "chunked", "content-type": "application/json" };
  const head = scene.request("POST", `${prefix}/chat/completions`, undefined, headers);
  const chunks = text.match(/.{1,16384}/g) ?? [];
  return `${head}${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}0\r\n\r\n`;
}

/** Sends the whole request before it reads the response, as many clients do. */
async function sendThenRead(client: RawConnection, bytes: string): Promise<HttpMessage> {
  client.stopReading();
  await client.writeAll(bytes);
  client.readOn();
  return client.response();
}

function expectTooLarge({ status, body }: HttpMessage): void {
  expect(status).toBe(413);
  expect(JSON.parse(body).error).toMatchObject({ code: "payload_too_large", metadata: { limit_bytes: maxBodyBytes } });
}

describe.each(mounted)("$title", ({ mount, variant }) => {
  it("accepts a body in chunks of any size", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    client.write(chunkedChat(scene, textOf(40_000)));
    const call = await scene.upstream.nextCall();
    expect(call.body).toMatchObject({ model: "upstream-model", messages: [{ content: "x".repeat(40_000) }] });
    call.json(completionOf("Hi"));
    expect((await client.response()).status).toBe(200);
  });

  it("answers a content-length over the limit with 413, which the client can read", async () => {
    await using scene = await setScene(mount, variant);
    expectTooLarge(await sendThenRead(await scene.connect(), scene.chat(textOf(farTooLarge))));
  });

  it("answers a large upload with a wrong key with 401, which the client can read", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    const bytes = scene.chat(textOf(farTooLarge), { authorization: "Bearer tg_wrong" });
    expect((await sendThenRead(client, bytes)).status).toBe(401);
  });

  it("drops a request whose client disconnects while it sends the body", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    client.write(scene.chat(textOf(40_000)).slice(0, -10_000));
    client.leave();
    const other = await scene.connect();
    other.write(scene.request("GET", `${prefix}/models`));
    expect((await other.response()).status).toBe(200);
  });
});

describe.each(mountedWith("lingering close"))("$title", ({ mount, variant }) => {
  it("answers a client that sends connection: close with 413, which the client can read", async () => {
    await using scene = await setScene(mount, variant);
    const bytes = scene.chat(textOf(farTooLarge), { connection: "close" });
    expectTooLarge(await sendThenRead(await scene.connect(), bytes));
  });

  it("answers chunks over the limit with 413, which the client can read", async () => {
    await using scene = await setScene(mount, variant);
    expectTooLarge(await sendThenRead(await scene.connect(), chunkedChat(scene, textOf(farTooLarge))));
  });

  it("keeps the connection open after a 413 if the client sent the whole body", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    expect((await sendThenRead(client, chunkedChat(scene, textOf(200_000)))).status).toBe(413);
    client.write(scene.request("GET", `${prefix}/models`));
    expect((await client.response()).status).toBe(200);
  });

  it("closes the connection of a client that continues to send after the answer", async () => {
    if (variant !== "plain") return;
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    const head = { "content-length": String(farTooLarge), "content-type": "application/json" };
    client.write(scene.request("POST", `${prefix}/chat/completions`, undefined, head));
    expect((await client.response()).status).toBe(413);
    const drip = setInterval(() => client.write("x"), 50);
    await client.closed;
    clearInterval(drip);
  });
});
