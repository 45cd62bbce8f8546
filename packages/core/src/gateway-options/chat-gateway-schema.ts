import * as v from "valibot";
import type { CorsPolicy } from "../edge/cors.ts";
import { functionValue, port } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { Observer } from "../ports/observer.ts";
import type { ContentPart, NoticesPart, UsagePart } from "../request/gateway-parts.ts";
import { gatewayMembers, limiter } from "./gateway-members.ts";

const part = <Part>(maker: string) =>
  v.exactOptional(functionValue<Part>(`Make it with ${maker} of @tollgate/core/chat, or leave it out.`));

/** The schema of the options of a gateway that serves chat completions alone. */
export const chatGatewaySchema = optionMembers("the options of createGateway of @tollgate/core/chat", {
  ...gatewayMembers,
  limiter,
  observer: functionValue<Observer>("Give (event) => void, or consoleObserver() of @tollgate/core."),
  cors: v.exactOptional(port<CorsPolicy>("a CorsPolicy", ["headers", "preflight"], "corsPolicy()")),
  content: part<ContentPart>("contentLog()"),
  notices: part<NoticesPart>("noticeDelivery()"),
  usage: part<UsagePart>("usageRecorder()"),
});
