import { composeGateway, type GatewayEndpoint } from "./compose-gateway.ts";
import { chatCodec } from "./dialects/chat/chat-codec.ts";
import type { Gateway } from "./gateway.ts";
import { chatGatewaySchema } from "./gateway-options/chat-gateway-schema.ts";
import { checkOptions } from "./gateway-options/check-options.ts";
import type { ExtendedGatewayOptions, GatewayOptions } from "./gateway-options/gateway-options.ts";
import { modelCall } from "./model-call.ts";
import { listModels } from "./models/list-models.ts";
import { openaiModels } from "./models/model-form.ts";
import { showModel } from "./models/show-model.ts";

/** The options of a gateway that serves chat completions alone. */
export type ChatGatewayOptions = Omit<GatewayOptions, ChatGatewayLacks>;

/** The options of such a gateway with an extension, such as assistants. */
export type ExtendedChatGatewayOptions<Added extends object> = Omit<ExtendedGatewayOptions<Added>, ChatGatewayLacks>;

type ChatGatewayLacks = "responses" | "messages" | "openapi";

/**
 * Creates a gateway with assistants that serves chat completions and the list of models alone. Throws one Error that lists
 * all problems of the options.
 */
export function createGateway<Added extends object>(options: ExtendedChatGatewayOptions<Added>): Gateway & Added;
/**
 * Creates a gateway that serves chat completions and the list of models alone, for bundles that must be small. It is the
 * `createGateway` of `@tollgate/core` without the Messages API, the Responses API and embeddings. Throws one Error that
 * lists all problems of the options.
 */
export function createGateway(options: ChatGatewayOptions): Gateway;
/** Creates a gateway that serves chat completions and the list of models. */
export function createGateway(options: ChatGatewayOptions): Gateway {
  return composeGateway(checkOptions(chatGatewaySchema, options), { endpoints: endpoints() });
}

const endpoints = (): readonly GatewayEndpoint[] => [
  { name: "models", method: "GET", pattern: "/models", handler: listModels(() => openaiModels) },
  { name: "models.show", method: "GET", pattern: "/models/*", handler: showModel(() => openaiModels) },
  { name: "chat.completions", method: "POST", pattern: "/chat/completions", handler: modelCall(chatCodec) },
];
