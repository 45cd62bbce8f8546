import type { Session as Conversation, SessionPosition } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readCount } from "../input/numbers.ts";
import { readText } from "../input/text.ts";
import { renderTable } from "../output/table.ts";
import { firstItems } from "../pages.ts";
import { toSessionShape } from "./session-shape.ts";

interface Options {
  readonly account?: string;
  readonly assistant?: string;
  readonly last: number;
}

/** Adds `sessions list`. */
export function addListSessions(sessions: Command, run: Run): void {
  sessions
    .command("list")
    .description("List sessions, newest first.")
    .option("--account <account>", "only the sessions of this account", readText("--account"))
    .option("--assistant <id>", "only the sessions with this assistant", readText("--assistant"))
    .option("--last <n>", "the number of sessions", readCount("--last"), 20)
    .addHelpText("after", example("sessions list --account acme --assistant order-desk --last 50"))
    .action(({ account, assistant, last }: Options) =>
      run(async (session) => {
        const filter = {
          ...(account === undefined ? {} : { account }),
          ...(assistant === undefined ? {} : { assistantId: assistant }),
        };
        const found = await firstItems(last, async (limit, before: SessionPosition | undefined) => {
          const query = { ...filter, limit, ...(before && { before }) };
          const { sessions, ...next } = await session.call(() => session.sessions.listSessions(query));
          return { items: sessions, ...next };
        });
        await session.show({ sessions: found.map(toSessionShape) }, (width) => render(found, width));
      }),
    );
}

function render(sessions: readonly Conversation[], width: number | undefined): string {
  if (sessions.length === 0) return "No sessions were found.\n";
  const columns = [
    { title: "ID" },
    { title: "CREATED" },
    { title: "ACCOUNT", truncates: true },
    { title: "ASSISTANT", truncates: true },
  ];
  const cells = sessions.map(({ id, createdAt, account, assistantId }) => [
    id,
    `${createdAt.toISOString().slice(0, 16)}Z`,
    account,
    assistantId,
  ]);
  return renderTable(columns, cells, width);
}
