import type {
  AnswerOf,
  dryRunTrigger,
  ItemOf,
  listAssistants,
  listConversations,
  listLogs,
  listMessages,
  showConversation,
} from "@tollgate/management/operations";
import type { Shown } from "./common.ts";

/** An assistant that the host configures. Secrets are shown as their names. */
export type Assistant = Shown<AnswerOf<typeof listAssistants>>["data"][number];

/** A trigger of an assistant. */
export type Trigger = Assistant["triggers"][number];

/** The answer of POST assistants/{id}/dry-run. */
export type DryRun = Shown<AnswerOf<typeof dryRunTrigger>>;

/** A variable that a webhook used. A secret has no value. */
export type Variable = DryRun["variables"][number];

/** A session of an account with an assistant. */
export type Conversation = Shown<ItemOf<typeof listConversations>>;

/** The answer of GET conversations/{id}. Viewers get no client data. */
export type ConversationDetail = Shown<AnswerOf<typeof showConversation>>;

/** A message as it is stored. */
export type StoredMessage = Shown<ItemOf<typeof listMessages>>;

/** A log with its position in the session. */
export type StoredLog = Shown<ItemOf<typeof listLogs>>;

/** The log of one webhook call. Times are in milliseconds. */
export type WebhookLog = StoredLog["log"];

/** A call of a tool by the model. */
export type ToolCall = NonNullable<StoredMessage["message"]["tool_calls"]>[number];
