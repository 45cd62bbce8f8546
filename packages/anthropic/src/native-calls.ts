import { maxAnswerBytes } from "@tollgate/core/internal";
import {
  collect,
  type FailureContext,
  isEventStream,
  type NativeAnswer,
  type NativeCall,
  type ProviderDialects,
  ProviderError,
  sendCall,
} from "@tollgate/core/provider";
import type { Endpoint } from "./endpoint.ts";

/** Makes the methods that send requests of the Messages API on. `name` is the name of the provider. */
export function messagesDialects(endpoint: Endpoint, name: string): ProviderDialects {
  const { hidden, secrets } = endpoint;
  const contextOf = ({ model, publicModel }: NativeCall): FailureContext => ({
    provider: name,
    publicModel,
    hidden: [...hidden, model],
  });
  const send = (call: NativeCall, url: string) => {
    const post = {
      url: withBeta(url, call.query),
      headers: mergeHeaders(call.headers, endpoint),
      body: call.encoded(),
    };
    return sendCall(call, post, () => contextOf(call));
  };
  const asJson = async (call: NativeCall, url: string): Promise<NativeAnswer> => {
    const { body } = await send(call, url);
    return { kind: "json", body: await collect(body, maxAnswerBytes), hidden, secrets };
  };
  const asStream = async (call: NativeCall): Promise<NativeAnswer> => {
    const response = await send(call, endpoint.url);
    if (isEventStream(response)) return { kind: "stream", bytes: response.body, hidden, secrets };
    response.body.cancel();
    throw new ProviderError(
      "invalid_response",
      `${name} answered without an event stream, although one was requested. Check that the base URL is that of Anthropic's API.`,
    );
  };
  return {
    messages: (call) => (call.stream ? asStream(call) : asJson(call, endpoint.url)),
    countTokens: (call) => asJson(call, endpoint.countUrl),
  };
}

/** The query of the base URL is kept, and that of the client is not sent but for `beta`. */
function withBeta(url: string, { beta }: NativeCall["query"]): string {
  if (beta === undefined) return url;
  const target = new URL(url);
  target.searchParams.set("beta", beta);
  return target.href;
}

/** The client chooses the version, and adds its betas to those of the host. Its key is never among its headers here. */
function mergeHeaders(callHeaders: NativeCall["headers"], { headers }: Endpoint): Readonly<Record<string, string>> {
  const { "anthropic-version": version, "anthropic-beta": betas } = callHeaders;
  const known = headers["anthropic-beta"]?.split(",") ?? [];
  const merged = [...new Set([...known, ...(betas?.split(",") ?? [])])].join(",");
  return {
    ...headers,
    ...(version === undefined ? {} : { "anthropic-version": version }),
    ...(merged === "" ? {} : { "anthropic-beta": merged }),
  };
}
