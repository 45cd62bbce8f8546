import { formatAmount } from "@tollgate/core";
import type { TimelineStep, UsageRow } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { Failure } from "../failure.ts";
import { readText } from "../input/text.ts";
import { renderFields, renderTable } from "../output/table.ts";
import type { Session } from "../session.ts";
import { toRequestShape } from "./request-shape.ts";

/** Adds `requests show`. */
export function addShowRequest(requests: Command, run: Run): void {
  requests
    .command("show")
    .description("Show one request with its timeline.")
    .argument("<id>", "the id of the request or of its answer, or its x-request-id", readText("The id"))
    .addHelpText("after", example("requests show req_0b7c6f1e-52f3-4a8e-9d0e-5f1c2a3b4d5e"))
    .action((id: string) =>
      run(async (session) => {
        const row = await findRequest(session, id);
        await session.show(toRequestShape(row), (width) => render(row, width));
      }),
    );
}

async function findRequest(session: Session, id: string): Promise<UsageRow> {
  for (const filter of [{ id }, { requestId: id }, { answerId: id }]) {
    const { rows } = await session.call(() => session.usage.list({ filter, limit: 1 }));
    if (rows[0] !== undefined) return rows[0];
  }
  throw new Failure(
    "not_found",
    "There is no request with this id. Find it with `tollgate requests list`; older requests may have been removed.",
  );
}

function render(row: UsageRow, width: number | undefined): string {
  const fields = [
    ["id", row.id],
    ["request", row.requestId],
    ["answer", row.answerId],
    ["at", row.at.toISOString()],
    ["account", row.account],
    ["key", row.keyId],
    ["model", row.model],
    ["target", row.target && `${row.target.provider}/${row.target.upstreamModel}`],
    ["status", `${row.status} ${row.errorCode ?? row.ending}`],
    ["tokens", `${row.tokens.input} in, ${row.tokens.output} out${row.estimated ? " (estimated)" : ""}`],
    ["cost", formatAmount(row.cost)],
    ["duration", `${row.durationMs} ms`],
    ["session", row.sessionId],
    ["user", row.endUser],
    ["tags", row.tags.length === 0 ? undefined : row.tags.join(", ")],
  ] as const;
  const columns = [{ title: "MS", right: true }, { title: "STEP" }, { title: "DETAIL", truncates: true }];
  const steps = row.timeline.map((step) => [String(step.at), step.step, detailOf(step)]);
  return `${renderFields(fields)}${steps.length === 0 ? "" : `\n${renderTable(columns, steps, width)}`}`;
}

/** The detail of a step; for a failed attempt with the status and the message of its upstream. */
const detailOf = ({ detail = "", status, message }: TimelineStep): string =>
  [detail, status, message].filter((part) => part !== undefined).join(" ");
