import { optionMembers } from "../options/members.ts";
import { gatewayMembers } from "./gateway-members.ts";

/** The schema of the options of a gateway that serves chat completions alone. */
export const chatGatewaySchema = optionMembers("the options of createGateway of @tollgate/core/chat", gatewayMembers);
