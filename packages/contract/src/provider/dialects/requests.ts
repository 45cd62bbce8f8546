import { deepEqual, equal, ok } from "node:assert/strict";
import type { TransportRequest } from "@tollgate/core/provider";
import type { Cases } from "../../suite.ts";
import { connectMs } from "../context.ts";
import { answerOf, askNative, type DialectContext, recordingTransport, requestBody } from "./native-calls.ts";

/** The headers by which a client chooses features of a dialect, which may differ from those of the host. */
const chosenByClients: ReadonlySet<string> = new Set(["anthropic-version", "anthropic-beta", "openai-beta"]);

/** The cases of the requests of every dialect. */
export const nativeRequests: Cases<DialectContext> = {
  "the body of the call reaches the upstream unchanged": async (context) => {
    for (const form of context.forms) {
      context.play(answerOf(context, form));
      await askNative(context, form);
      equal(context.received.at(-1)?.body, requestBody(context, form), form);
    }
  },
  "the provider's key is sent in a header and never in a URL": async (context) => {
    const { apiKey } = context.upstream;
    for (const { url, headers } of await sentWith(context, {})) {
      ok(!decodeURIComponent(url).includes(apiKey), "The key is in the URL.");
      const values = Object.values(headers);
      ok(
        values.some((value) => value.includes(apiKey)),
        "No header has the key.",
      );
    }
  },
  "no header of the client replaces one of the provider": async (context) => {
    const own = (await sentWith(context, {})).map(headersOf);
    const names = own.flatMap((headers) => Object.keys(headers));
    const given = Object.fromEntries(names.map((name) => [name, "from-the-client"]));
    deepEqual((await sentWith(context, given)).map(headersOf), own);
  },
  "every request uses the call's transport and connect timeout": async (context) => {
    const sent = await sentWith(context, {});
    deepEqual(
      sent.map((request) => request.connectMs),
      context.forms.map(() => connectMs),
    );
  },
};

/** Calls the provider once for each form of answer, and returns what it passed to the transport. */
async function sentWith(
  context: DialectContext,
  headers: Readonly<Record<string, string>>,
): Promise<readonly TransportRequest[]> {
  const { sent, record } = recordingTransport(context);
  for (const form of context.forms) {
    context.play(answerOf(context, form));
    await askNative(context, form, { headers, transport: record });
  }
  equal(sent.length, context.forms.length, "The provider must send each request through the transport of the call.");
  return sent;
}

const headersOf = ({ headers }: TransportRequest) =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !chosenByClients.has(name)),
  );
