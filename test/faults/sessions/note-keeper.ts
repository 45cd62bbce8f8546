import { setTimeout as sleep } from "node:timers/promises";
import type { AssistantConfig } from "@tollgate/assistants";
import type { ChatMessage } from "@tollgate/core/provider";
import type { Mind } from "../../support/scripted-model.ts";
import { finalWords, notePath } from "./turn-attempt.ts";

/** An assistant that sends the marker of each message to a target, once. */
export const noteKeeper = (target: string): AssistantConfig => ({
  id: "note-keeper",
  companyId: "company-1",
  model: "plain",
  triggers: [
    {
      name: "note",
      parameters: { type: "object", properties: { marker: { type: "string" } }, required: ["marker"] },
      webhook: { type: "WEBHOOK", url: `http://${target}${notePath("$marker")}`, method: "GET" },
    },
  ],
});

/**
 * The model of the assistant: it calls the webhook with the marker, and then answers with the number of earlier turns.
 */
export const noteKeeperMind: Mind = ({ messages }) => {
  const userMessages = messages.filter(({ role }) => role === "user");
  const marker = textOf(userMessages.at(-1));
  return messages.at(-1)?.role === "tool"
    ? { content: finalWords(marker, userMessages.length - 1), after: randomDelay() }
    : { calls: [["note", { marker }]], after: randomDelay() };
};

/** Returns the text of a message without its images. */
export function textOf(message: ChatMessage | undefined): string {
  const content = message?.content;
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
}

// Long enough that most kills interrupt a turn.
const randomDelay = () => sleep(Math.random() * 60);
