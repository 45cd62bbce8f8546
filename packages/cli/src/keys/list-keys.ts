import type { ApiKey } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readText } from "../input/text.ts";
import { renderTable } from "../output/table.ts";
import { pages } from "../pages.ts";
import type { Session } from "../session.ts";
import { stateOf, toKeyShape } from "./key-shape.ts";

interface Options {
  readonly account?: string;
  readonly active?: true;
}

const pageSize = 500;

/** Adds `keys list`. */
export function addListKeys(keys: Command, run: Run): void {
  keys
    .command("list")
    .description("List keys, oldest first. The keys themselves are never shown.")
    .option("--account <account>", "only the keys of this account", readText("--account"))
    .option("--active", "omit revoked and expired keys")
    .addHelpText("after", example("keys list --account acme", "keys list --active --json"))
    .action((options: Options) =>
      run(async (session) => {
        const found = await findKeys(session, options);
        await session.show({ keys: found.map(toKeyShape) }, (width) => renderKeys(found, width));
      }),
    );
}

async function findKeys(session: Session, { account, active }: Options): Promise<readonly ApiKey[]> {
  const of = account === undefined ? {} : { account };
  const found: ApiKey[] = [];
  const read = (after: string | undefined) =>
    session.call(() => session.keys.list({ ...of, limit: pageSize, ...(after === undefined ? {} : { after }) }));
  for await (const { keys } of pages(read)) {
    for (const key of keys) if (!active || stateOf(key) === "active") found.push(key);
  }
  return found;
}

function renderKeys(keys: readonly ApiKey[], width: number | undefined): string {
  if (keys.length === 0) return "No keys were found.\n";
  const columns = [
    { title: "ID" },
    { title: "ENDS" },
    { title: "STATE" },
    { title: "ACCOUNT", truncates: true },
    { title: "PLAN", truncates: true },
    { title: "NAME", truncates: true },
  ];
  return renderTable(
    columns,
    keys.map((key) => [key.id, key.lastFour, describeState(key), key.account, key.plan, key.name ?? ""]),
    width,
  );
}

function describeState(key: ApiKey): string {
  const state = stateOf(key);
  return state === "active" && key.expiresAt ? `to ${key.expiresAt.toISOString().slice(0, 10)}` : state;
}
