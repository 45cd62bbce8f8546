import { camelCase, listRequests, pagesOf, type ShownRequest } from "@tollgate/management/operations";
import type { Command } from "commander";
import { example, type Run, reading } from "../command.ts";
import { Failure } from "../failure.ts";
import { renderFields, renderItems, shortTime, type Table } from "../output/table.ts";
import { take } from "../pages.ts";
import { readCount, readText } from "../readers.ts";
import { addFilterOptions, type FilterOptions } from "./usage.ts";

/** Adds `requests` and its subcommands. */
export function addRequestsCommands(program: Command, run: Run): void {
  const requests = program
    .command("requests")
    .description("List finished requests, and show one of them.")
    .addHelpText("after", example("requests list --failed"));
  addList(requests, run);
  addShow(requests, run);
}

const table: Table<ShownRequest> = {
  empty: "No requests were found.",
  columns: [
    { title: "AT", text: ({ at }) => shortTime(at) },
    { title: "STATUS", right: true, text: ({ status }) => status },
    { title: "COST", right: true, text: ({ cost }) => cost },
    { title: "MS", right: true, text: ({ duration_ms }) => duration_ms },
    { title: "MODEL", truncates: true, text: ({ model }) => model },
    { title: "ACCOUNT", truncates: true, text: ({ account }) => account },
    { title: "REQUEST", truncates: true, text: ({ request_id }) => request_id },
  ],
};

function addList(requests: Command, run: Run): void {
  const list = requests
    .command("list")
    .description("List finished requests, newest first.")
    .option("--last <n>", "the number of requests", readCount("--last"), 20);
  addFilterOptions(list)
    .addHelpText("after", example("requests list --account acme --failed --from 24h"))
    .action(({ last, ...query }: FilterOptions & { readonly last: number }) =>
      run(async (session) => {
        const found = await take(last, (limit) => pagesOf(listRequests, session.context, { ...reading, query, limit }));
        await session.showItems("requests", listRequests.item, found, table);
      }),
    );
}

function addShow(requests: Command, run: Run): void {
  requests
    .command("show")
    .description("Show one request with its timeline.")
    .argument("<id>", "the id of the request or of its answer, or its x-request-id", readText("The id"))
    .addHelpText("after", example("requests show req_0b7c6f1e-52f3-4a8e-9d0e-5f1c2a3b4d5e"))
    .action((id: string) =>
      run(async (session) => {
        const call = { ...reading, query: { any_id: id }, limit: 1 };
        const [found] = (await listRequests.page(session.context, call)).data;
        if (found === undefined) throw unknownRequest();
        await session.show(camelCase(listRequests.item)(found), (width) => render(found, width));
      }),
    );
}

const unknownRequest = (): Failure =>
  new Failure(
    "not_found",
    "There is no request with this id. Find it with `tollgate requests list`; older requests may have been removed.",
  );

function render(row: ShownRequest, width: number | undefined): string {
  const fields = renderFields([
    ["id", row.id],
    ["request", row.request_id],
    ["answer", row.answer_id],
    ["at", row.at],
    ["account", row.account],
    ["key", row.key_id],
    ["model", row.model],
    ["target", row.target && `${row.target.provider}/${row.target.upstream_model}`],
    ["status", `${row.status} ${row.error_code ?? row.ending}`],
    ["tokens", `${row.tokens.input} in, ${row.tokens.output} out${row.estimated ? " (estimated)" : ""}`],
    ["cost", row.cost],
    ["duration", `${row.duration_ms} ms`],
    ["session", row.session_id],
    ["user", row.end_user],
    ["tags", row.tags.length === 0 ? undefined : row.tags.join(", ")],
  ]);
  return row.timeline.length === 0 ? fields : `${fields}\n${renderItems(row.timeline, timeline, width)}`;
}

const timeline: Table<ShownRequest["timeline"][number]> = {
  empty: "",
  columns: [
    { title: "MS", right: true, text: ({ at }) => at },
    { title: "STEP", text: ({ step }) => step },
    {
      title: "DETAIL",
      truncates: true,
      // Of a failed attempt with the status and the message of its upstream.
      text: ({ detail, status, message }) => [detail ?? "", status, message].filter((part) => part !== null).join(" "),
    },
  ],
};
