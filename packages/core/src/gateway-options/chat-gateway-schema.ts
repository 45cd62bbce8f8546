import * as v from "valibot";
import type { CorsPolicy } from "../edge/cors.ts";
import { functionValue, port, wanted } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { Observer } from "../ports/observer.ts";
import type { ContentPart, GatewayPart, NoticesPart, UsagePart } from "../request/gateway-parts.ts";
import { isJsonObject } from "../wire/json.ts";
import { gatewayMembers, limiter } from "./gateway-members.ts";

const part = <Part extends GatewayPart<string, unknown>>(option: Part["option"], maker: string) =>
  v.exactOptional(
    v.custom<Part>(
      (value) => isJsonObject(value) && value["option"] === option && typeof value["create"] === "function",
      wanted(`must be made by ${maker} of @tollgate/core/chat`),
    ),
  );

/** The schema of the options of a gateway that serves chat completions alone. */
export const chatGatewaySchema = optionMembers("the options of createGateway of @tollgate/core/chat", {
  ...gatewayMembers,
  limiter,
  observer: functionValue<Observer>("Give (event) => void, or consoleObserver() of @tollgate/core."),
  cors: v.exactOptional(port<CorsPolicy>("a CorsPolicy", ["headers", "preflight"], "corsPolicy()")),
  content: part<ContentPart>("content", "contentLog()"),
  notices: part<NoticesPart>("notices", "noticeDelivery()"),
  usage: part<UsagePart>("usage", "usageRecorder()"),
});
