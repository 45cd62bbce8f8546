import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { gateway } from "../../shop/src/gateway.ts";

/** Returns clients of the gateway in this process. `apiKey` is the key of the account that pays. */
export function clientsOf(apiKey: string) {
  const settings = { apiKey, fetch: gateway.fetch, baseURL: "http://gateway.local/router/v1" };
  return {
    openai: new OpenAI(settings),
    anthropic: new Anthropic({ ...settings, baseURL: "http://gateway.local/router" }),
    aiSdk: createOpenAI(settings),
  };
}
