import { describe, expect, it } from "vitest";
import { completionOf } from "../support/scripted-provider.ts";
import { mounted, mountedWith } from "./mounts/mounts.ts";
import { prefix, setScene } from "./scene.ts";

/** Headers that node:http adds, and headers that a host may add. */
const serverHeaders = ["date", "connection", "keep-alive"];
const ownHeaders = [
  "content-type",
  "x-request-id",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-router-attempts",
];

describe.each(mounted)("$title", ({ mount, variant }) => {
  it("returns a JSON answer byte for byte, with the gateway's headers and no others", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    client.write(scene.chat());
    (await scene.upstream.nextCall()).json(completionOf("Grüße"));
    const { status, headers, body } = await client.response();
    expect(status).toBe(200);
    const expected = { ...completionOf("Grüße"), model: "plain", system_fingerprint: null };
    expect(JSON.parse(body)).toEqual(expected);
    // The gateway chooses the order of members. This checks that there is nothing before, between or after them.
    expect(body).toBe(JSON.stringify(JSON.parse(body)));
    expect(headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
    expect(headers.get("content-type")).toBe("application/json");
    const names = [...headers.keys()].filter((name) => !serverHeaders.includes(name));
    const own = [...ownHeaders, "content-length"];
    if (variant === "middleware") expect(names).toEqual(expect.arrayContaining(own));
    else expect(names.sort()).toEqual(own.sort());
  });

  it("keeps headers that the host's middleware set", async () => {
    if (variant !== "middleware") return;
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    client.write(scene.request("GET", `${prefix}/models`, undefined, { origin: "https://app.test" }));
    const { status, headers } = await client.response();
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-type")).toBe("application/json");
  });

  it("answers rejected requests and then a completion on one connection", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    const ask = async (bytes: string) => {
      client.write(bytes);
      return client.response();
    };
    const wrongKey = await ask(scene.chat({}, { authorization: "Bearer tg_wrong" }));
    expect(wrongKey.status).toBe(401);
    expect(wrongKey.headers.get("www-authenticate")).toBe("Bearer");
    expect(JSON.parse(wrongKey.body).error.code).toBe("invalid_api_key");
    expect((await ask(scene.chat({ messages: [] }))).status).toBe(400);
    expect((await ask(scene.chat({ model: "no such model" }))).status).toBe(404);
    expect((await ask(scene.request("PUT", `${prefix}/models`, {}))).status).toBe(405);
    client.write(scene.chat());
    (await scene.upstream.nextCall()).json(completionOf("Hi"));
    expect((await client.response()).status).toBe(200);
  });

  it("rejects malformed JSON", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    client.write(scene.chat('{"model":'));
    const { status, body } = await client.response();
    expect(status).toBe(400);
    // A parser of the host may reject it first, with its own message.
    if (variant !== "parsed") expect(JSON.parse(body).error.code).toBe("invalid_json");
  });

  it("does not expose the framework, a stack trace or the upstream in an error", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    client.write(scene.chat());
    // The gateway retries an invalid response once.
    for (let attempt = 0; attempt < 2; attempt++) (await scene.upstream.nextCall()).json("this is no completion");
    const { status, headers, body } = await client.response();
    expect(status).toBe(502);
    expect(JSON.parse(body).error.code).toBe("upstream_invalid_response");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect(headers.has("x-powered-by")).toBe(false);
    expect(body).not.toMatch(/127\.0\.0\.1|node_modules|\bat .*:\d+/);
  });
});

describe.each(mountedWith("duplicate authorization"))("$title", ({ mount, variant }) => {
  it("rejects a request with two Authorization headers", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    const one = scene.request("GET", `${prefix}/models`);
    client.write(one.replace("\r\n\r\n", "\r\nAuthorization: Bearer other\r\n\r\n"));
    const { status, body } = await client.response();
    expect(status).toBe(401);
    expect(JSON.parse(body).error.code).toBe("invalid_api_key");
  });
});
