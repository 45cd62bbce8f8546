import * as v from "valibot";
import { openApiDocument } from "../edge/serve-document.ts";
import { optionMembers } from "../options/members.ts";
import { gatewayMembers } from "./gateway-members.ts";
import { messagesSchema } from "./messages-options.ts";
import { responsesSchema } from "./response-options.ts";

/** The schema of the options of a gateway that serves every endpoint. */
export const gatewaySchema = optionMembers("the options of createGateway", {
  ...gatewayMembers,
  openapi: v.exactOptional(openApiDocument("routerApi")),
  responses: v.exactOptional(responsesSchema),
  messages: v.exactOptional(messagesSchema),
});
