import type { StoredLog } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readText } from "../input/text.ts";
import { renderTable } from "../output/table.ts";
import { pages } from "../pages.ts";
import { findSession, noSuchSession } from "./find-session.ts";

const pageSize = 100;

/** Adds `sessions logs`. */
export function addListLogs(sessions: Command, run: Run): void {
  sessions
    .command("logs")
    .description("Show the webhook calls of a session, newest first. --json shows them in full.")
    .argument("<id>", "the id of the session, as in `sessions list`", readText("The id"))
    .addHelpText("after", example("sessions logs 0b7c6f1e-52f3-4a8e-9d0e-5f1c2a3b4d5e --json"))
    .action((id: string) =>
      run(async (session) => {
        const { account } = await findSession(session, id);
        const found: StoredLog[] = [];
        const read = async (before: number | undefined) => {
          const page = { limit: pageSize, ...(before === undefined ? {} : { before }) };
          return (await session.call(() => session.sessions.logs({ id, account }, page))) ?? noSuchSession();
        };
        for await (const { logs } of pages(read)) found.push(...logs);
        await session.show({ logs: found }, (width) => render(found, width));
      }),
    );
}

function render(logs: readonly StoredLog[], width: number | undefined): string {
  if (logs.length === 0) return "The session has no webhook logs.\n";
  const columns = [
    { title: "SEQUENCE", right: true },
    { title: "AT" },
    { title: "TRIGGER", truncates: true },
    { title: "OUTCOME" },
    { title: "STATUS", right: true },
    { title: "MS", right: true },
    { title: "URL", truncates: true },
  ];
  const cells = logs.map(({ sequence, log }) => [
    String(sequence),
    log.started_at,
    log.trigger,
    log.outcome,
    String(log.response?.status ?? ""),
    String(log.duration_ms),
    log.request?.url ?? "",
  ]);
  return renderTable(columns, cells, width);
}
