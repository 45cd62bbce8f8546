import { writeLosslessJson } from "@tollgate/core/store";
import {
  camelCase,
  conversationAnswer,
  listLogs,
  listMessages,
  pagesOf,
  readConversations,
  showConversation,
} from "@tollgate/management/operations";
import type { Command } from "commander";
import { example, type Run, reading } from "../command.ts";
import { Failure, orFailure } from "../failure.ts";
import { renderFields, shortTime } from "../output/table.ts";
import { allItems, itemPages, take } from "../pages.ts";
import { readCount, readText } from "../readers.ts";

/** Adds `sessions` and its subcommands. */
export function addSessionsCommands(program: Command, run: Run): void {
  const sessions = program
    .command("sessions")
    .description("List the sessions of assistants, and show their messages and webhook logs.")
    .addHelpText("after", example("sessions list --account acme"));
  addList(sessions, run);
  addShow(sessions, run);
  addMessages(sessions, run);
  addLogs(sessions, run);
}

function addList(sessions: Command, run: Run): void {
  sessions
    .command("list")
    .description("List sessions, newest first.")
    .option("--account <account>", "only the sessions of this account", readText("--account"))
    .option("--assistant <id>", "only the sessions with this assistant", readText("--assistant"))
    .option("--last <n>", "the number of sessions", readCount("--last"), 20)
    .addHelpText("after", example("sessions list --account acme --assistant order-desk --last 50"))
    .action(({ last, ...query }: { readonly account?: string; readonly assistant?: string; readonly last: number }) =>
      run(async (session) => {
        const read = (limit: number) =>
          itemPages(async (before: Parameters<typeof readConversations>[3]) => {
            const { sessions: items, ...next } = await readConversations(session.context, query, limit, before);
            return { items, ...next };
          });
        const found = (await take(last, read)).map((each) => ({
          ...conversationAnswer.show(each),
          client_data: each.clientData,
        }));
        await session.showItems("sessions", showConversation.answer, found, {
          empty: "No sessions were found.",
          columns: [
            { title: "ID", text: ({ id }) => id },
            { title: "CREATED", text: ({ created_at }) => `${created_at.slice(0, 16)}Z` },
            { title: "ACCOUNT", truncates: true, text: ({ account }) => account },
            { title: "ASSISTANT", truncates: true, text: ({ assistant_id }) => assistant_id },
          ],
        });
      }),
    );
}

function addShow(sessions: Command, run: Run): void {
  sessions
    .command("show")
    .description("Show a session with its client data.")
    .argument("<id>", "the id of the session, as in `sessions list`", readText("The id"))
    .addHelpText("after", example("sessions show 0b7c6f1e-52f3-4a8e-9d0e-5f1c2a3b4d5e"))
    .action((id: string) =>
      run(async (session) => {
        const found = await orFailure(unknownSession, () => showConversation.run(session.context, { ...reading, id }));
        await session.show(camelCase(showConversation.answer)(found), () =>
          renderFields([
            ["id", found.id],
            ["account", found.account],
            ["assistant", found.assistant_id],
            ["created", found.created_at],
            ["updated", found.updated_at],
            ["expires", found.expires_at],
            ["turns", found.turns],
            ["client data", writeLosslessJson(found.client_data)],
          ]),
        );
      }),
    );
}

function addMessages(sessions: Command, run: Run): void {
  sessions
    .command("messages")
    .description("Show the messages of a session, oldest first. --json shows them in full.")
    .argument("<id>", "the id of the session, as in `sessions list`", readText("The id"))
    .addHelpText("after", example("sessions messages 0b7c6f1e-52f3-4a8e-9d0e-5f1c2a3b4d5e --json"))
    .action((id: string) =>
      run(async (session) => {
        const read = () => allItems(pagesOf(listMessages, session.context, { ...reading, id }));
        const messages = await orFailure(unknownSession, read);
        await session.showItems("messages", listMessages.item, messages, {
          empty: "The session has no messages.",
          columns: [
            { title: "SEQUENCE", right: true, text: ({ sequence }) => sequence },
            { title: "AT", text: ({ at }) => shortTime(at) },
            { title: "ROLE", text: ({ message }) => message.role },
            { title: "CONTENT", truncates: true, text: ({ message }) => contentOf(message) },
          ],
        });
      }),
    );
}

/** The text of a message, or JSON if it is not only text. */
function contentOf({ role: _role, ...rest }: { readonly role: string; readonly content?: unknown }): string {
  const { content, ...others } = rest;
  return typeof content === "string" && Object.keys(others).length === 0 ? content : JSON.stringify(rest);
}

function addLogs(sessions: Command, run: Run): void {
  sessions
    .command("logs")
    .description("Show the webhook calls of a session, newest first. --json shows them in full.")
    .argument("<id>", "the id of the session, as in `sessions list`", readText("The id"))
    .addHelpText("after", example("sessions logs 0b7c6f1e-52f3-4a8e-9d0e-5f1c2a3b4d5e --json"))
    .action((id: string) =>
      run(async (session) => {
        const read = () => allItems(pagesOf(listLogs, session.context, { ...reading, id, limit: logsInPage }));
        const logs = await orFailure(unknownSession, read);
        await session.showItems("logs", listLogs.item, logs, {
          empty: "The session has no webhook logs.",
          columns: [
            { title: "SEQUENCE", right: true, text: ({ sequence }) => sequence },
            { title: "AT", text: ({ log }) => log.started_at },
            { title: "TRIGGER", truncates: true, text: ({ log }) => log.trigger },
            { title: "OUTCOME", text: ({ log }) => log.outcome },
            { title: "STATUS", right: true, text: ({ log }) => log.response?.status },
            { title: "MS", right: true, text: ({ log }) => log.duration_ms },
            { title: "URL", truncates: true, text: ({ log }) => log.request?.url },
          ],
        });
      }),
    );
}

/** A log has the whole body of a response. */
const logsInPage = 100;

const unknownSession = {
  resource_not_found: new Failure(
    "not_found",
    "There is no session with this id, or it has expired. Find it with `tollgate sessions list`.",
  ),
};
