import type { ApiKey, KeyQuery } from "@tollgate/core/store";
import { keyState } from "@tollgate/core/store";
import { type Command, Option } from "commander";
import { example, type Run } from "../command.ts";
import { readChoice } from "../input/choices.ts";
import { readText } from "../input/text.ts";
import { renderTable } from "../output/table.ts";
import { pages } from "../pages.ts";
import type { Session } from "../session.ts";
import { toKeyShape } from "./key-shape.ts";

type Options = Pick<KeyQuery, "account" | "state" | "search">;

const pageSize = 500;

/** Adds `keys list`. */
export function addListKeys(keys: Command, run: Run): void {
  keys
    .command("list")
    .description("List keys, oldest first. The keys themselves are never shown.")
    .option("--account <account>", "only the keys of this account", readText("--account"))
    .option(
      "--state <state>",
      "only active, expired or revoked keys",
      readChoice("--state", ["active", "expired", "revoked"]),
    )
    .addOption(new Option("--active", "the same as --state active").implies({ state: "active" }))
    .option("--search <text>", "only keys with this text in their id, name or last characters", readText("--search"))
    .addHelpText("after", example("keys list --account acme", "keys list --state active --search ci --json"))
    .action(({ account, state, search }: Options) =>
      run(async (session) => {
        const found = await findKeys(session, {
          ...(account === undefined ? {} : { account }),
          ...(state === undefined ? {} : { state }),
          ...(search === undefined ? {} : { search }),
        });
        await session.show({ keys: found.map(toKeyShape) }, (width) => renderKeys(found, width));
      }),
    );
}

async function findKeys(session: Session, options: Options): Promise<readonly ApiKey[]> {
  const found: ApiKey[] = [];
  const read = (after: string | undefined) =>
    session.call(() => session.keys.list({ ...options, limit: pageSize, ...(after === undefined ? {} : { after }) }));
  for await (const { keys } of pages(read)) found.push(...keys);
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
  const state = keyState(key);
  return state === "active" && key.expiresAt ? `to ${key.expiresAt.toISOString().slice(0, 10)}` : state;
}
