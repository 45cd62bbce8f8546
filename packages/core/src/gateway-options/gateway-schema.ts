import * as v from "valibot";
import { contentSchema } from "../content/content-options.ts";
import { responsesSchema } from "../dialects/responses/response-options.ts";
import { corsSchema } from "../edge/cors-schema.ts";
import { openApiDocument } from "../edge/serve-document.ts";
import { noticesSchema } from "../notices/notice-options.ts";
import { usageSchema } from "../observing/usage-options.ts";
import { functionValue } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { Observer } from "../ports/observer.ts";
import { gatewayMembers, limiter } from "./gateway-members.ts";
import { messagesSchema } from "./messages-options.ts";

/** The schema of the options of a gateway that serves every endpoint. */
export const gatewaySchema = optionMembers("the options of createGateway", {
  ...gatewayMembers,
  limiter: v.exactOptional(limiter),
  observer: v.exactOptional(functionValue<Observer>("Give (event) => void, or leave it out.")),
  cors: v.exactOptional(corsSchema),
  openapi: v.exactOptional(openApiDocument("routerApi")),
  content: v.exactOptional(contentSchema),
  usage: v.exactOptional(usageSchema),
  notices: v.exactOptional(noticesSchema),
  responses: v.exactOptional(responsesSchema),
  messages: v.exactOptional(messagesSchema),
});
