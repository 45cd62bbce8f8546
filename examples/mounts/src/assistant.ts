import { assistants, defineAssistant } from "@tollgate/assistants";
import { createGateway } from "@tollgate/core";
import { tollgate } from "@tollgate/express";
import { webhookRunner } from "@tollgate/node";
import express from "express";
import { options, sessions } from "../../shop/src/gateway.ts";

const shop = process.env["SHOP_HOST"] ?? "shop.internal:8080";

const orderDesk = defineAssistant({
  id: "order-desk",
  companyId: "acme",
  model: "acme-small",
  instructions: "You are the order desk of a shop.",
  secrets: { shop_key: process.env["SHOP_KEY"] ?? "" },
  triggers: [
    {
      name: "find_order",
      description: "Looks an order up by its number.",
      parameters: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
      webhook: {
        type: "WEBHOOK",
        method: "GET",
        url: `http://${shop}/orders/$number?customer=$customer`,
        headers: [{ key: "Authorization", value: "Bearer $shop_key" }],
        responseDirective: "Say in one sentence where the order is.",
      },
    },
  ],
});

export const gateway = createGateway({
  ...options,
  extensions: [
    assistants({
      list: [orderDesk],
      sessions,
      // https to the internet is always allowed.
      runner: webhookRunner({ allowedTargets: [shop] }),
    }),
  ],
});

export const app: express.Express = express();
app.use("/router/v1", tollgate(gateway));
app.use(tollgate(gateway.sessions));
