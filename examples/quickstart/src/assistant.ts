import { type AssistantConfig, defineAssistant, type WebhookRunner } from "@tollgate/assistants";
import { webhookRunner } from "@tollgate/node";
import { modelIds } from "./offer.ts";
import { ordersPath } from "./orders.ts";

/** The id of the demo assistant. */
export const assistantId = "order-desk";

/** The trigger that places orders. The offline provider calls it if a message contains its name. */
export const createOrderTrigger = "create_order";

/** An assistant that looks up and places orders at the shop on the same host. `shopKey` is the shop's API key. */
export const demonstrationAssistant = (origin: string, shopKey: string): AssistantConfig =>
  defineAssistant({
    id: assistantId,
    companyId: "demonstration-shop",
    model: modelIds.plain,
    instructions: "You are the order desk of a shop. Look an order up before you talk about it.",
    secrets: { shop_key: shopKey },
    triggers: [
      {
        name: "find_order",
        description: "Looks an order up by its number.",
        parameters: {
          type: "object",
          properties: { number: { type: "integer", minimum: 1, description: "The number of the order." } },
          required: ["number"],
        },
        webhook: {
          type: "WEBHOOK",
          method: "GET",
          url: `${origin}${ordersPath}/$number?customer=$customer&session=$session.id`,
          headers: [{ key: "Authorization", value: "Bearer $shop_key" }],
          responseDirective: "Say in one sentence where the order is.",
        },
      },
      {
        name: createOrderTrigger,
        description: "Orders an article, printed with the images that the user sent.",
        parameters: {
          type: "object",
          properties: {
            article: { type: "string", description: "What to order." },
            quantity: { type: "integer", minimum: 1, maximum: 100 },
          },
          required: ["article", "quantity"],
        },
        webhook: {
          type: "WEBHOOK",
          method: "POST",
          url: `${origin}${ordersPath}`,
          headers: [{ key: "Authorization", value: "Bearer $shop_key" }],
          // A string instead of an object, so that $quantity and $images can be inserted without quotes, as a number and an array.
          body: '{"article": "$article", "quantity": $quantity, "customer": "$customer", "prints": $images}',
          responseDirective: "Confirm the order and give its number.",
        },
      },
    ],
  });

/** A runner that sends webhooks to the internet and to the shop at `authority` (host and port), but to no other port of this machine. */
export const demonstrationRunner = (authority: string): WebhookRunner => webhookRunner({ allowedTargets: [authority] });
