import { describe, expect, it } from "vitest";
import { formText, formType, part } from "../sessions/multipart.ts";
import { mountedOnce } from "./mounts/mounts.ts";
import { maxFormBytes, type SessionScene, setSessionScene } from "./session-scene.ts";

/** Half of them at the root, the others at a prefix. */
const places = mountedOnce.map((each, at) => {
  const prefix = at % 2 === 0 ? "" : "/assistants/v1";
  return { ...each, prefix, title: `${each.title}, at ${prefix}/session` };
});

const wholeForm = formText(part("assistant_id", "support"), part("client_data", '{"name":"Zoë"}'));
const json = { "content-type": "application/json" };

const formOf = (fields: Readonly<Record<string, string | Blob>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

/** A form in chunks of the given size. */
function chunked(scene: SessionScene, form: string, size: number): Buffer {
  const head = scene.head("POST", "/session", { "content-type": formType, "transfer-encoding": "chunked" });
  const bytes = Buffer.from(form);
  const chunks: (string | Buffer)[] = [head];
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.subarray(at, at + size);
    chunks.push(`${chunk.length.toString(16)}\r\n`, chunk, "\r\n");
  }
  return Buffer.concat([...chunks, "0\r\n\r\n"].map((chunk) => Buffer.from(chunk)));
}

function measured(scene: SessionScene, form: string, contentType = formType): string {
  return (
    scene.head("POST", "/session", { "content-type": contentType, "content-length": Buffer.byteLength(form) }) + form
  );
}

describe.each(places)("$title", ({ mount, variant, prefix }) => {
  it("creates, changes, reads and deletes a session", async () => {
    await using scene = await setSessionScene(mount, variant, prefix);
    const session = await scene.create();
    const merged = await scene.ask("PUT", session, JSON.stringify({ client_data: { b: { c: [2] } } }), json);
    expect([merged.status, await merged.json()]).toEqual([
      200,
      expect.objectContaining({ client_data: { a: 1, b: { c: [2] } } }),
    ]);
    const read = await scene.ask("GET", session);
    expect(session).toBe(`${scene.url}/session/${(await read.json()).id}`);
    for (const list of ["messages?limit=5", "logs?limit=5"]) {
      expect(await (await scene.ask("GET", `${session}/${list}`)).json()).toMatchObject({ object: "list", data: [] });
    }
    const listed = await (await scene.ask("GET", `${scene.url}/session?limit=5`)).json();
    expect(listed.data.map(({ id }: { id: string }) => `${scene.url}/session/${id}`)).toEqual([session]);
    const deleted = await scene.ask("DELETE", session);
    expect([deleted.status, await deleted.text(), deleted.headers.has("x-request-id")]).toEqual([204, "", true]);
    expect((await scene.ask("GET", session)).status).toBe(404);
  });

  it("sends a 204 without a body and keeps the connection open", async () => {
    await using scene = await setSessionScene(mount, variant, prefix);
    const path = new URL(await scene.create()).pathname.slice(prefix.length);
    const client = await scene.connect();
    client.write(scene.head("DELETE", path));
    const { status, headers } = await client.response();
    expect([status, headers.get("transfer-encoding"), headers.get("content-length")]).toEqual([
      204,
      undefined,
      undefined,
    ]);
    client.write(scene.head("GET", path));
    expect((await client.response()).status).toBe(404);
  });

  it("accepts forms that fetch encodes", async () => {
    await using scene = await setSessionScene(mount, variant, prefix);
    const created = await scene.ask(
      "POST",
      `${scene.url}/session`,
      formOf({ assistant_id: "support", client_data: '{"a":"é"}' }),
    );
    expect([created.status, (await created.json()).client_data]).toEqual([201, { a: "é" }]);
    const session = new URL(created.headers.get("location") ?? "", created.url);
    const merged = await scene.ask("PUT", session.href, formOf({ client_data: '{"a":null,"b":[1]}' }));
    expect([merged.status, (await merged.json()).client_data]).toEqual([200, { b: [1] }]);
  });

  it("accepts client data as a file", async () => {
    // multer separates files from fields.
    if (variant === "parsed" && mount.name.startsWith("Express")) return;
    await using scene = await setSessionScene(mount, variant, prefix);
    const file = new Blob(['{"a":"é"}'], { type: "application/json" });
    const created = await scene.ask(
      "POST",
      `${scene.url}/session`,
      formOf({ assistant_id: "support", client_data: file }),
    );
    expect([created.status, (await created.json()).client_data]).toEqual([201, { a: "é" }]);
  });

  it("accepts forms with a length and in chunks of any size", async () => {
    await using scene = await setSessionScene(mount, variant, prefix);
    const client = await scene.connect();
    const spelled = formType.replace("boundary=", 'charset=utf-8; boundary="').concat('"');
    for (const bytes of [
      measured(scene, wholeForm),
      measured(scene, wholeForm, spelled),
      ...[1, 7, 1_000].map((size) => chunked(scene, wholeForm, size)),
    ]) {
      client.write(bytes);
      const { status, body } = await client.response();
      expect([status, JSON.parse(body).client_data]).toEqual([201, { name: "Zoë" }]);
    }
  });

  it("continues to serve after a client disconnects within a form", async () => {
    await using scene = await setSessionScene(mount, variant, prefix);
    const bytes = measured(scene, wholeForm);
    const inChunks = chunked(scene, wholeForm, 16);
    const bodyStart = bytes.indexOf("\r\n\r\n") + 4;
    for (const part of [
      bytes.slice(0, bodyStart),
      bytes.slice(0, bodyStart + 60),
      bytes.slice(0, -1),
      inChunks.subarray(0, -40),
    ]) {
      const client = await scene.connect();
      client.write(part);
      client.leave();
      expect(await scene.lives()).toBe(true);
    }
  });

  it("answers an invalid form and continues to serve", async () => {
    await using scene = await setSessionScene(mount, variant, prefix);
    const broken = [
      wholeForm.slice(0, -6),
      wholeForm.slice(0, 70),
      "",
      "\u0000\u0001",
      `${wholeForm.slice(0, 60)}\r\n\r\n\r\n`,
    ];
    for (const form of broken) {
      const client = await scene.connect();
      client.write(measured(scene, form));
      const { status, body } = await client.response();
      // A parser of the host sends its own answer.
      if (variant === "parsed") expect(status).toBeGreaterThanOrEqual(400);
      else expect([status, JSON.parse(body).error.code]).toEqual([400, "invalid_request"]);
    }
    expect(await scene.lives()).toBe(true);
  });

  it("answers a form that is too large with 413, however it is sent, which the client can read", async () => {
    await using scene = await setSessionScene(mount, variant, prefix);
    const form = formText(part("assistant_id", "support"), part("more", "x".repeat(300_000)));
    for (const bytes of [measured(scene, form), chunked(scene, form, 16_384)]) {
      const client = await scene.connect();
      await client.writeAll(Buffer.from(bytes));
      const { status, body } = await client.response();
      expect([status, JSON.parse(body).error.metadata]).toEqual([413, { limit_bytes: maxFormBytes }]);
    }
  });

  it("leaves other paths to the host and to the router, and rejects other methods", async () => {
    await using scene = await setSessionScene(mount, variant, prefix);
    const id = crypto.randomUUID();
    for (const path of ["/sessions", "/session/", `/session/${id}/x`, `/session/${id}/messages/1`]) {
      const { status, headers } = await scene.ask("GET", `${scene.url}${path}`);
      expect([path, status, headers.get("x-answered-by")]).toEqual([path, 404, "host"]);
    }
    expect((await scene.ask("GET", `${scene.url}/own`)).headers.get("x-answered-by")).toBe("host");
    const { status, headers } = await scene.ask("DELETE", `${scene.url}/session/${id}/logs`);
    expect([status, headers.get("allow")]).toEqual([405, "GET"]);
    const unknown = await scene.ask("POST", `${scene.url}/session/${id}/messages`, '{"content":"Hello?"}', json);
    expect([unknown.status, (await unknown.json()).error.code]).toEqual([404, "session_not_found"]);
    expect(await scene.lives()).toBe(true);
  });
});
