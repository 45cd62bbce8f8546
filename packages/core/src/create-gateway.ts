import type { Endpoint, ModelApi } from "./answering/model-api.ts";
import { assembleServices } from "./assemble-services.ts";
import { hostCharges } from "./charges/host-charges.ts";
import { checkOptions } from "./check-options.ts";
import { chatApi } from "./dialects/chat/chat-api.ts";
import { embeddingsApi } from "./dialects/embeddings/embeddings-api.ts";
import { anthropicHeaders, messagesErrors } from "./dialects/messages/answer/messages-errors.ts";
import { messagesApi } from "./dialects/messages/messages-api.ts";
import { responsesApi } from "./dialects/responses/responses-api.ts";
import { extensionHost } from "./extensions/extension-host.ts";
import type { Gateway } from "./gateway.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { accountEndpoints } from "./http/account/account-endpoints.ts";
import { clientFetch } from "./http/client-fetch.ts";
import { policyOf } from "./http/cors.ts";
import { isAnthropicClient, listModels, showModel } from "./http/models.ts";
import { mount, routeTable, withAlias } from "./http/mount.ts";
import { openaiErrors } from "./http/render-error.ts";
import { documentRoute, serveDocument } from "./http/serve-document.ts";
import { inspectGateway } from "./inspect-gateway.ts";
import { modelCall } from "./model-call.ts";
import type { ClientRequest } from "./ports/client-request.ts";
import type { AddedBy, GatewayExtension } from "./ports/extension.ts";
import type { Services } from "./request/services.ts";
import { steadyNow, withinTime } from "./runtime/timers.ts";
import { dialectEndpoints } from "./wire/dialect.ts";

/** Where `fetch` assumes the endpoints without the option `basePath`. */
const defaultBasePath = "/router/v1";

/** The APIs in which clients call models. Everything that depends on an API is in its value. */
const apis: readonly ModelApi[] = [chatApi, responsesApi, embeddingsApi, messagesApi];

/**
 * Creates a gateway with extensions, whose members it has too: with assistants, the session endpoints are in `sessions`.
 * Throws one Error that lists all problems of the options. It connects to nothing before the first request.
 */
export function createGateway<const Extensions extends readonly GatewayExtension[]>(
  options: GatewayOptions & { readonly extensions: Extensions },
): Gateway & AddedBy<Extensions>;
/**
 * Creates a gateway. Throws one Error that lists all problems of the options. It connects to nothing before the first
 * request.
 */
export function createGateway(options: GatewayOptions): Gateway;
/** Creates a gateway that serves every endpoint. */
export function createGateway(options: GatewayOptions): Gateway {
  const checked = checkOptions(options);
  const services = assembleServices(checked);
  const { basePath = defaultBasePath, plans, openapi, extensions = [] } = checked;
  const cors = policyOf(
    checked.cors,
    extensions.flatMap(({ origins }) => origins),
  );
  const startedAt = new Date();
  const endpoints = endpointsOf(apis);
  if (openapi !== undefined) endpoints.push({ ...documentRoute, handler: serveDocument(openapi, basePath) });
  const mounted = mount(services, {
    basePath,
    variable: "gateway",
    cors,
    // Clients of Anthropic append "/v1/messages" to their base URL, whatever it is.
    routes: withAlias(routeTable(endpoints), "/v1"),
    handlers: Object.fromEntries(endpoints.map(({ name, handler }) => [name, handler])),
    errorShape: (request, endpoint) => (isAnthropic(request, endpoint) ? messagesErrors : openaiErrors),
  });
  const gateway: Gateway = {
    ...mounted,
    fetch: clientFetch(mounted, basePath),
    terms: { accept: (account, versionId) => services.terms.accept(account, versionId) },
    charges: hostCharges(services),
    inFlight: () => services.inFlight.count,
    inspect: () => inspectGateway(services, plans, startedAt),
    drain: ({ timeoutMs = 30_000 } = {}) => drain(services, timeoutMs),
  };
  const host = extensionHost(services, cors);
  return Object.assign(gateway, ...extensions.map((extension) => extension.attach(host)));
}

const ofModels: readonly Endpoint[] = [
  { name: "models", method: "GET", pattern: "/models", handler: listModels },
  { name: "models.show", method: "GET", pattern: "/models/*", handler: showModel },
];

function endpointsOf(served: readonly ModelApi[]): Endpoint[] {
  const withHeaders = ofModels.map((endpoint) => addHeaders(endpoint, anthropicHeaders, isAnthropicClient));
  return [...withHeaders, ...served.flatMap(endpointsOfApi), ...accountEndpoints];
}

function endpointsOfApi(api: ModelApi): readonly Endpoint[] {
  const { name, path } = dialectEndpoints[api.dialect];
  const calls: Endpoint = { name, method: "POST", pattern: path, handler: modelCall(api) };
  const { headers } = api;
  return [calls, ...api.endpoints].map((each) => (headers === undefined ? each : addHeaders(each, headers)));
}

/** Returns an endpoint whose responses have further headers, if `isTheirs`. */
function addHeaders(
  endpoint: Endpoint,
  added: NonNullable<ModelApi["headers"]>,
  isTheirs: (request: ClientRequest) => boolean = () => true,
): Endpoint {
  const { handler } = endpoint;
  return {
    ...endpoint,
    handler: async (services: Services, exchange, id) => {
      const response = await handler(services, exchange, id);
      if (!isTheirs(exchange.request)) return response;
      return { ...response, headers: { ...response.headers, ...added(response.headers) } };
    },
  };
}

/** Paths that both APIs have, and unknown ones, are told apart by a header. */
const isAnthropic = (request: ClientRequest, endpoint: string | undefined): boolean =>
  endpoint?.startsWith("messages") || ((endpoint?.startsWith("models") ?? true) && isAnthropicClient(request));

/** Drains a gateway: see {@link Gateway.drain}. */
export async function drain(services: Services, timeoutMs: number): Promise<void> {
  const { inFlight, settlements, background, content, usage, storeTimeoutMs, observe } = services;
  const startedAt = steadyNow();
  inFlight.close();
  if (!(await resolvesWithin(inFlight.whenIdle(), timeoutMs))) inFlight.abortAll();
  const idle = inFlight.whenIdle().then(() => settlements.whenIdle());
  // One timeout for a store that a running request waits for, and one for the settlement of that request.
  const graceMs = 2 * storeTimeoutMs;
  const flushed = idle.then(() => usage?.flush());
  if (!(await resolvesWithin(flushed, startedAt + timeoutMs + graceMs - steadyNow()))) {
    const waiting = { settlements: settlements.waiting, usageRows: usage?.pending ?? 0 };
    observe({ type: "drain.incomplete", at: Date.now(), requests: inFlight.count, ...waiting });
  }
  await resolvesWithin(content?.flush() ?? Promise.resolve(), storeTimeoutMs);
  usage?.stop();
  background.stop();
}

function resolvesWithin(event: Promise<void>, milliseconds: number): Promise<boolean> {
  return withinTime(event, milliseconds).then(
    () => true,
    () => false,
  );
}
