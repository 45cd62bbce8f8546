import { type AssistantConfig, defineAssistant, type WebhookRunner } from "@tollgate/core/assistants";
import { webhookRunner } from "@tollgate/node";
import { modelIds } from "./offer.ts";
import { ordersPath } from "./orders.ts";

/** The id of the demonstration assistant. */
export const assistantId = "order-desk";

/** The trigger that places orders; whoever names it in a message has the offline provider call it. */
export const placingTrigger = "create_order";

/** An assistant that looks orders up and places them, at the shop on the same host. `shopKey` is what the shop asks for. */
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
        name: placingTrigger,
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
          // A text and not an object, since $quantity and $images stand without quotes: a number and an array.
          body: '{"article": "$article", "quantity": $quantity, "customer": "$customer", "prints": $images}',
          responseDirective: "Confirm the order and give its number.",
        },
      },
    ],
  });

/** Sends webhooks to the internet and to the shop, which is at `authority`, host and port; to nothing else on this machine. */
export const demonstrationRunner = (authority: string): WebhookRunner => webhookRunner({ allowedTargets: [authority] });
