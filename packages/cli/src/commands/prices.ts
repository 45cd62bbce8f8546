import type { Prices } from "@tollgate/core";
import { checkedPrices } from "@tollgate/core/internal";
import {
  type AnswerOf,
  camelCase,
  periodOf,
  type showWhatIf,
  whatIf,
  whatIfAnswer,
} from "@tollgate/management/operations";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { Failure, reasonOf } from "../failure.ts";
import { renderItems, type Table } from "../output/table.ts";
import { misread, readList, readPastTime } from "../readers.ts";
import { checkTargets } from "./price-check.ts";

/** Adds `prices` and its subcommands. */
export function addPricesCommands(program: Command, run: Run): void {
  const prices = program
    .command("prices")
    .description("Compare prices with the published ones, and with those of other price lists. Nothing is changed.")
    .addHelpText("after", example("prices check"));
  addCheck(prices, run);
  addWhatIf(prices, run);
}

function addCheck(prices: Command, run: Run): void {
  prices
    .command("check")
    .description("Show the margin of each target, and where its cost differs from the published prices.")
    .option(
      "--providers <names>",
      "the published names of your providers, such as azure-eu=azure,vertex=google",
      readProviders,
    )
    .addHelpText("after", example("prices check", "prices check --providers azure-eu=azure"))
    .action(({ providers = new Map() }: { readonly providers?: ReadonlyMap<string, string> }) =>
      run((session) => checkTargets(session, providers)),
    );
}

/** Reads pairs of a provider's name in the gateway and its name in the data. */
function readProviders(text: string): ReadonlyMap<string, string> {
  const pairs = readList("--providers")(text).map((pair) => {
    const [own = "", known = "", ...others] = pair.split("=");
    if (own === "" || known === "" || others.length > 0)
      throw misread("--providers", pair, "write the name in your gateway, =, and the published name, such as eu=azure");
    return [own, known] as const;
  });
  return new Map(pairs);
}

interface WhatIfOptions {
  readonly prices: string;
  readonly from?: Date;
  readonly to?: Date;
}

function addWhatIf(prices: Command, run: Run): void {
  prices
    .command("what-if")
    .description(
      "Calculate what the requests of a period would have cost by other prices (default: the last seven days).",
    )
    .requiredOption("--prices <file>", "a JSON file with price lists by the public id of the model")
    .option("--from <time>", "the first time: a date, a timestamp, or a duration ago", readPastTime("--from"))
    .option("--to <time>", "the time after the last one (default: now)", readPastTime("--to"))
    .addHelpText("after", example("prices what-if --prices new-prices.json --from 30d"))
    .action(({ prices: file, ...period }: WhatIfOptions) =>
      run(async (session) => {
        const prices = readPrices(file, await session.readFile(file));
        const answer = await whatIf(session.context, periodOf(period), prices);
        await session.show(camelCase(whatIfAnswer)(answer), (width) => render(answer, width));
      }),
    );
}

function readPrices(file: string, text: string): ReadonlyMap<string, Prices | "free"> {
  try {
    const lists = Object.entries(parse(text));
    if (lists.length === 0)
      throw new RangeError('It has no prices. Write { "model": { "input": "2.50", "output": "10" } }');
    return new Map(lists.map(([model, list]) => [model, checkedPrices(list, model)]));
  } catch (error) {
    throw new Failure("usage", `${file} cannot be used: ${reasonOf(error)}.`);
  }
}

/** JSON has no dates, so the `from` of a list is a text. */
function parse(text: string): object {
  const lists: unknown = JSON.parse(text, (name, value) =>
    name === "from" && typeof value === "string" ? new Date(value) : value,
  );
  return typeof lists === "object" && lists !== null && !Array.isArray(lists) ? lists : {};
}

type WhatIf = AnswerOf<typeof showWhatIf>;

function render({ models, total, from, to }: WhatIf, width: number | undefined): string {
  const lines = models.length === 1 ? models : [...models, { model: "TOTAL", ...total }];
  const turns =
    total.turns === 0
      ? ""
      : `${total.turns} of the requests are turns of assistants. The calls of a turn are priced as one request.\n`;
  return `From ${from} to ${to}\n\n${renderItems(lines, whatIfTable, width)}${turns}`;
}

const whatIfTable: Table<WhatIf["models"][number]> = {
  empty: "",
  columns: [
    { title: "MODEL", truncates: true, text: ({ model }) => model },
    { title: "REQUESTS", right: true, text: ({ requests }) => requests },
    { title: "COST", right: true, text: ({ cost }) => cost },
    { title: "WHAT IF", right: true, text: ({ what_if }) => what_if },
    { title: "DIFFERENCE", right: true, text: ({ difference }) => difference },
    { title: "MARGIN", right: true, text: ({ margin }) => margin },
    { title: "WHAT-IF MARGIN", right: true, text: ({ what_if_margin }) => what_if_margin },
  ],
};
