import fc from "fast-check";
import { anyText } from "../../../packages/assistants/test-support/any-variables.ts";
import { gatewayUnderTest } from "../../support/gateway-under-test.ts";
import { ask } from "./ask.ts";
import { fuzzed } from "./fuzz.ts";
import { mutated } from "./mutated.ts";
import { verify } from "./verify.ts";

fuzzed("an Authorization header is accepted only with exactly one valid key", async () => {
  const { gateway, key } = gatewayUnderTest({ plans: [{ id: "prepaid", billing: "none" }], observer: () => undefined });
  const secret = await key();
  const corpus = fc.constantFrom(
    `Bearer ${secret}`,
    `bearer  ${secret}`,
    `Bearer ${secret}, Bearer ${secret}`,
    `Basic ${btoa(`:${secret}`)}`,
    secret,
  );
  // Headers are bytes, which Node reads as Latin-1.
  const written = mutated(corpus).map((bytes) => Buffer.from(bytes).toString("latin1"));
  const header = fc.oneof({ weight: 6, arbitrary: written }, anyText, fc.constant(undefined));
  const valid = new RegExp(`^bearer +${secret}$`, "i");
  return {
    title: "Authorization headers",
    inputs: fc.record({ authorization: header, apiKey: header }),
    async take({ authorization, apiKey }) {
      const headers = new Map(
        Object.entries({ authorization, "x-api-key": apiKey }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as const],
        ),
      );
      const { status, text } = await ask(gateway, { method: "GET", path: "/models", headers, body: new Uint8Array() });
      const isValid = valid.test(authorization ?? "") && (authorization ?? "").endsWith(secret);
      verify(status === (isValid ? 200 : 401), `The status of a ${isValid ? "valid" : "wrong"} key is right`, status);
      if (status !== 200) verify(text.length < 1_000, "The error is short", text);
    },
  };
});
