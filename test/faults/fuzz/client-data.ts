import { memorySessionStore } from "@tollgate/core";
import fc from "fast-check";
import { anyClientData } from "../../../packages/core/test-support/any-client-data.ts";
import { sessionsUnderTest } from "../../support/sessions-under-test.ts";
import { ask } from "./ask.ts";
import { fuzzed } from "./fuzz.ts";
import { mutated } from "./mutated.ts";
import { verify } from "./verify.ts";

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
      verify(status === 200 || status === 400, "The status is 200 or 400", status);
      if (status === 400) verify(text.length < 2_000, "The error is short", text);
      verify(!text.includes("internal_error"), "The answer is no internal error", text);
      JSON.parse(text);
    },
  };
});
