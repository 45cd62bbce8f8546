import type { AcceptancePosition, TermsAcceptance } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readText } from "../input/text.ts";
import { renderTable } from "../output/table.ts";
import { pages } from "../pages.ts";
import type { Session } from "../session.ts";
import { toAcceptanceShape } from "./acceptance-shape.ts";

interface Options {
  readonly account?: string;
  readonly versionId?: string;
}

const pageSize = 500;

/** Adds `terms list`. */
export function addListAcceptances(terms: Command, run: Run): void {
  terms
    .command("list")
    .description("List acceptances in the order of their accounts.")
    .option("--account <account>", "only the acceptances of this account", readText("--account"))
    .option("--version-id <id>", "only the acceptances of this version", readText("--version-id"))
    .addHelpText("after", example("terms list --account acme", "terms list --version-id terms-2026-01 --json"))
    .action((options: Options) =>
      run(async (session) => {
        const found = await findAcceptances(session, options);
        await session.show({ acceptances: found.map(toAcceptanceShape) }, (width) => render(found, width));
      }),
    );
}

async function findAcceptances(session: Session, options: Options): Promise<readonly TermsAcceptance[]> {
  const query = { ...options, limit: pageSize };
  const found: TermsAcceptance[] = [];
  const read = (after: AcceptancePosition | undefined) =>
    session.call(() => session.terms.listAcceptances(after === undefined ? query : { ...query, after }));
  for await (const { acceptances } of pages(read)) found.push(...acceptances);
  return found;
}

function render(acceptances: readonly TermsAcceptance[], width: number | undefined): string {
  if (acceptances.length === 0) return "No acceptances were found.\n";
  const columns = [{ title: "ACCOUNT", truncates: true }, { title: "VERSION", truncates: true }, { title: "ACCEPTED" }];
  const cells = acceptances.map(({ account, versionId, acceptedAt }) => [account, versionId, acceptedAt.toISOString()]);
  return renderTable(columns, cells, width);
}
