import { deepEqual, equal } from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { Cases } from "../suite.ts";
import { answered, type WebhookRunnerContext } from "./context.ts";

const unusualBody = '{ "number": 1.0, "text":"ä€😀 \\u0000 \\ud800 $& __proto__ \\r\\n"}';

/** The cases of the request that the target receives. */
export const sendingCases: Cases<WebhookRunnerContext> = {
  "each method, path and body arrives unchanged and once": async ({ server, origin, run }) => {
    const url = `${origin}/a%2Fb/%E2%82%AC?q=%26&r=a+b`;
    for (const method of ["GET", "POST", "PUT", "DELETE"] as const) {
      answered(await run({ method, url, body: method === "GET" ? undefined : unusualBody }));
    }
    const sent = ["", unusualBody, unusualBody, unusualBody];
    deepEqual(
      server.received.map(({ method }) => method),
      ["GET", "POST", "PUT", "DELETE"],
    );
    deepEqual(
      server.received.map((each) => each.url),
      sent.map(() => "/a%2Fb/%E2%82%AC?q=%26&r=a+b"),
    );
    deepEqual(
      server.received.map(({ body }) => body.toString("utf8")),
      sent,
    );
  },
  "a method that allows a body can be sent without one": async ({ server, run }) => {
    for (const method of ["POST", "PUT", "DELETE"] as const) answered(await run({ method }));
    deepEqual(
      server.received.map(({ body }) => body.length),
      [0, 0, 0],
    );
  },
  "a long body arrives completely": async ({ server, run }) => {
    const body = JSON.stringify("ä".repeat(400_000));
    answered(await run({ method: "POST", body }));
    equal(server.received[0]?.body.equals(Buffer.from(body)), true);
  },
  "header values are sent as UTF-8": async ({ server, run }) => {
    const value = "Zoë, 漢字 😀 \u0080ÿ $& a\tb";
    answered(
      await run({
        headers: [
          ["X-Name", value],
          ["x-plain", "a b"],
        ],
      }),
    );
    deepEqual(server.received[0]?.header("x-name"), Buffer.from(value));
    deepEqual(server.received[0]?.header("x-plain"), Buffer.from("a b"));
  },
  "every method except GET has the id of the call as its idempotency key": async ({ server, run }) => {
    const id = crypto.randomUUID();
    for (const method of ["GET", "POST", "PUT", "DELETE"] as const) answered(await run({ id, method }));
    const keys = server.received.map(({ header }) => header("idempotency-key")?.toString());
    deepEqual(keys, [undefined, id, id, id]);
  },
  "the signature covers the exact bytes": async ({ server, run }) => {
    const key = Buffer.from("0123456789abcdef01234567");
    const id = crypto.randomUUID();
    for (const body of [unusualBody, undefined]) {
      answered(await run({ id, method: "POST", body, signingSecret: `whsec_${key.toString("base64")}` }));
    }
    for (const { header, body } of server.received) {
      const time = header("webhook-timestamp")?.toString() ?? "";
      const signed = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64");
      equal(header("webhook-id")?.toString(), id);
      equal(header("webhook-signature")?.toString(), `v1,${signed}`);
    }
  },
};
