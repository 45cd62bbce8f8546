import type { CorsPolicy } from "../http/cors.ts";
import { type EndpointHandler, mount, routeTable } from "../http/mount.ts";
import { documentRoute, serveDocument } from "../http/serve-document.ts";
import type { TokenParents } from "../ports/access-token.ts";
import type { ExtensionEndpoint, ExtensionHost, ExtensionMount } from "../ports/extension.ts";
import type { ContextWindow } from "../ports/model-calls.ts";
import type { Mountable } from "../ports/mountable.ts";
import type { Services } from "../request/services.ts";
import { admit } from "../steps/admit.ts";
import { byteLength } from "../wire/bytes.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";
import { mediaOf, withoutImages } from "../wire/media.ts";
import { promptOf } from "../wire/prompt.ts";
import { RunningRequest } from "./running-request.ts";

/** Returns what a gateway offers its extensions. */
export const extensionHost = (services: Services, cors: CorsPolicy | undefined): ExtensionHost => ({
  storeTimeoutMs: services.storeTimeoutMs,
  observe: services.observe,
  mount: (endpoints) => mountEndpoints(services, cors, endpoints),
  acceptTokens(reader) {
    services.accessTokens.accept(reader);
    return { find: (keyId) => findParent(services, keyId) };
  },
  contextWindow: (model) => contextWindowOf(services, model),
});

function mountEndpoints(
  services: Services,
  cors: CorsPolicy | undefined,
  { basePath, variable, openapi, endpoints }: ExtensionMount,
): Mountable {
  const handlers = new Map(endpoints.map((endpoint) => [endpoint.name, handlerOf(endpoint)]));
  return mount(services, {
    basePath,
    variable,
    cors,
    routes: routeTable(openapi === undefined ? endpoints : [...endpoints, documentRoute]),
    handlers: { ...Object.fromEntries(handlers), [documentRoute.name]: serveDocument(openapi, basePath) },
  });
}

/** Admits a request before the endpoint handles it, and releases its slot afterwards, which a stream retains until it ends. */
const handlerOf =
  ({ handle, forSessionTokens }: ExtensionEndpoint): EndpointHandler<Services> =>
  async (services, exchange, id) => {
    const admission = await admit(services, exchange, { tokens: { session: forSessionTokens ? id : undefined } });
    try {
      return await handle(new RunningRequest(services, admission), id);
    } finally {
      admission.slot.release();
    }
  };

const findParent: (services: Services, ...args: Parameters<TokenParents["find"]>) => ReturnType<TokenParents["find"]> =
  async (services, keyId) => {
    const key = await services.accessTokens.parent(keyId);
    return key && { key, billing: services.planOf(key).billing };
  };

/** Returns the context window of a model. Undefined for an unknown model, and for one without a window. */
function contextWindowOf({ models, tokens }: Services, id: string): ContextWindow | undefined {
  const model = models.current().get(id);
  if (model?.contextWindow === undefined) return undefined;
  const { contextWindow, maxOutputTokens, imageTokens } = model;
  return {
    tokens: contextWindow,
    maxOutputTokens,
    count(messages) {
      const content = JSON.stringify(messages.map(textsOf));
      const texts = tokens.prompt(promptOf([{ role: "user", content }]), id, byteLength(content), 0);
      return texts + mediaOf(messages).images.count * imageTokens;
    },
  };
}

const textsOf = ({ content, reasoning_content: thoughts, tool_calls: calls }: ChatMessage) => ({
  content: withoutImages(content),
  thoughts,
  calls,
});
