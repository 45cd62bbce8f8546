import type { StoredMessage } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readText } from "../input/text.ts";
import { renderTable } from "../output/table.ts";
import { pages } from "../pages.ts";
import { findSession, noSuchSession } from "./find-session.ts";

const pageSize = 500;

/** Adds `sessions messages`. */
export function addListMessages(sessions: Command, run: Run): void {
  sessions
    .command("messages")
    .description("Show the messages of a session, oldest first. --json shows them in full.")
    .argument("<id>", "the id of the session, as in `sessions list`", readText("The id"))
    .addHelpText("after", example("sessions messages 0b7c6f1e-52f3-4a8e-9d0e-5f1c2a3b4d5e --json"))
    .action((id: string) =>
      run(async (session) => {
        const { account } = await findSession(session, id);
        const found: StoredMessage[] = [];
        const read = async (after: number | undefined) => {
          const page = { limit: pageSize, ...(after === undefined ? {} : { after }) };
          return (await session.call(() => session.sessions.messages({ id, account }, page))) ?? noSuchSession();
        };
        for await (const { messages } of pages(read)) found.push(...messages);
        await session.show({ messages: found.map(toShape) }, (width) => render(found, width));
      }),
    );
}

const toShape = ({ sequence, at, message }: StoredMessage) => ({ sequence, at: at.toISOString(), message });

function render(messages: readonly StoredMessage[], width: number | undefined): string {
  if (messages.length === 0) return "The session has no messages.\n";
  const columns = [
    { title: "SEQUENCE", right: true },
    { title: "AT" },
    { title: "ROLE" },
    { title: "CONTENT", truncates: true },
  ];
  const cells = messages.map(({ sequence, at, message }) => [
    String(sequence),
    `${at.toISOString().slice(0, 19)}Z`,
    message.role,
    contentOf(message),
  ]);
  return renderTable(columns, cells, width);
}

/** The text of a message, or JSON if it is not only text. */
function contentOf({ role: _role, ...rest }: StoredMessage["message"]): string {
  const { content, ...others } = rest;
  return typeof content === "string" && Object.keys(others).length === 0 ? content : JSON.stringify(rest);
}
