import { defineAssistant } from "../src/config/define-assistant.ts";

/**
 * The assistant of a shop, which looks up and places orders with images of the user. In production, the values of its
 * secrets come from the environment.
 */
export const orderAssistant = defineAssistant({
  id: "order-desk",
  companyId: "shop-17",
  model: "shop-chat",
  instructions: "You are the order desk of a shop. Look an order up before you talk about it.",
  secrets: {
    shop_key: "shop-key-3f9a",
    shop_signing: "whsec_c2hvcC1zaWduaW5nLXNlY3JldA==",
  },
  triggers: [
    {
      name: "look_up_order",
      description: "Looks up one order by its number.",
      parameters: {
        type: "object",
        properties: {
          order_id: { type: "string", description: "The number on the receipt.", pattern: "^[A-Z0-9-]{4,20}$" },
          language: { type: "string", enum: ["en", "de"] },
        },
        required: ["order_id"],
      },
      webhook: {
        type: "WEBHOOK",
        method: "GET",
        // The path uses an argument of the model. The query also uses variables of the session.
        url: "https://shop.example/orders/$order_id?language=$language&session=$session.id",
        headers: [{ key: "authorization", value: "Bearer $shop_key" }],
        responseDirective: "Say where the order is and when it arrives. Do not read out prices.",
      },
    },
    {
      name: "create_order",
      description: "Places an order for one article, with the images that the user has sent as its print.",
      parameters: {
        type: "object",
        properties: {
          article: { type: "string" },
          quantity: { type: "integer", minimum: 1, maximum: 100 },
          note: { type: "string", maxLength: 500 },
        },
        required: ["article", "quantity"],
        additionalProperties: false,
      },
      interpretResponse: false,
      webhook: {
        type: "WEBHOOK",
        method: "POST",
        url: "https://shop.example/orders",
        headers: [{ key: "authorization", value: "Bearer $shop_key" }],
        // A string, since $images has no quotes: it is rendered as an array of URLs.
        body: '{"article": $article, "quantity": $quantity, "note": "$note", "urls": $images}',
        signingSecret: "shop_signing",
      },
    },
  ],
});
