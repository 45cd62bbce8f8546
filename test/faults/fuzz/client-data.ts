import { memorySessionStore } from "@tollgate/core";
import fc from "fast-check";
import { expect } from "vitest";
import { anyClientData } from "../../../packages/core/test-support/any-client-data.ts";
import { sessionsUnderTest } from "../../support/sessions-under-test.ts";
import { ask } from "./ask.ts";
import { fuzzed } from "./fuzz.ts";
import { mutated } from "./mutated.ts";

const corpus = fc.oneof(
  fc.constantFrom('{"user.name":"Ann","list":[1,2.50,{"a":null}],"n":12345678901234567890}', '{"__proto__":{"a":1}}'),
  anyClientData.map((data) => JSON.stringify(data)),
);

fuzzed("client data are merged or refused with a short error, whatever their bytes are", async () => {
  const { sessions, key } = sessionsUnderTest({
    store: memorySessionStore(),
    plans: [{ id: "prepaid", billing: "prepaid" }],
    observer: () => undefined,
  });
  const headers = new Map([
    ["authorization", `Bearer ${await key()}`],
    ["content-type", "application/json"],
  ]);
  const send = (method: string, path: string, body: Uint8Array) => ask(sessions, { method, path, headers, body });
  /** A new session after some inputs, because what was merged makes later inputs exceed the limits. */
  let path = "";
  let merged = 0;
  const renew = async () => {
    if (path !== "") await send("DELETE", path, new Uint8Array());
    const { text } = await send("POST", "/session", Buffer.from('{"assistant_id":"support"}'));
    path = `/session/${JSON.parse(text).id}`;
  };
  return {
    title: "client data",
    inputs: mutated(corpus),
    async take(bytes) {
      if (merged++ % 20 === 0) await renew();
      const body = Buffer.concat([Buffer.from('{"client_data":'), bytes, Buffer.from("}")]);
      const { status, text } = await send("PUT", path, body);
      expect([200, 400]).toContain(status);
      if (status === 400) expect(text.length).toBeLessThan(2_000);
      expect(text).not.toContain("internal_error");
      JSON.parse(text);
    },
  };
});
