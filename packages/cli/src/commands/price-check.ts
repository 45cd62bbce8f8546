import { formatAmount, type PriceList, type Target } from "@tollgate/core";
import { listAt, readPrice, tierOf } from "@tollgate/core/internal";
import { renderItems, type Table } from "../output/table.ts";
import type { Session } from "../session.ts";

type Price = ReturnType<typeof readPrice>;
type Rates = NonNullable<ReturnType<typeof tierOf>> | Price;

/** The prices that are compared. */
const classes = ["input", "output", "cachedInput", "cacheWrite", "cacheWrite1h", "request"] as const;

/** The price that each of these is equal to where a list leaves it out. */
const defaults = { cachedInput: "input", cacheWrite: "input", cacheWrite1h: "cacheWrite" } as const;

/** True for a price that a list leaves out, or that is as if it did. */
function isDefault(rates: Rates, name: (typeof classes)[number]): boolean {
  if (name !== "cachedInput" && name !== "cacheWrite" && name !== "cacheWrite1h") return false;
  return rates[name] === rates[defaults[name]];
}

/** A price that differs from the published one. */
interface Difference {
  readonly price: (typeof classes)[number];
  /** The tier that it is of. Absent: none. */
  readonly aboveInputTokens?: number;
  readonly cost: string;
  readonly published: string;
}

/** The comparison of one target. */
interface TargetCheck {
  readonly model: string;
  readonly provider: string;
  readonly upstreamModel: string;
  /** `unknown`: no prices are published, or none that the data has. `absent`: the target has no `cost`. */
  readonly cost: "same" | "differs" | "absent" | "unknown";
  readonly differences: readonly Difference[];
  /** Shares of the price in percent, with one decimal. The cost is the published one if the target has none. Absent: not known. */
  readonly margin?: { readonly input?: string; readonly output?: string; readonly least?: string };
  /** The published prices, as a `cost` to configure. */
  readonly published?: PriceList;
}

/** Shows the margin of each target, and where its cost differs from the published one. */
export async function checkTargets(session: Session, names: ReadonlyMap<string, string>): Promise<void> {
  const { priceDate, priceOf } = await import("@tollgate/prices");
  const now = Date.now();
  const publishedOf = ({ provider, model }: Target): PriceList | undefined => {
    try {
      return priceOf(names.get(provider.name) ?? provider.name, model);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  };
  const targets = session.models.flatMap((model) =>
    model.targets.map((target): TargetCheck => {
      const published = publishedOf(target);
      const price = readPrice(listAt(target.price ?? model.price, now));
      const cost = target.cost && readPrice(listAt(target.cost, now));
      const { provider, model: upstreamModel } = target;
      return { model: model.id, provider: provider.name, upstreamModel, ...compare(price, cost, published) };
    }),
  );
  await session.show({ priceDate, targets }, (width) => render(targets, priceDate, width));
}

function compare(
  price: Price,
  cost: Price | undefined,
  published: PriceList | undefined,
): Pick<TargetCheck, "cost" | "differences" | "margin" | "published"> {
  const known = published && readPrice(published);
  const paid = cost ?? known;
  const differences = cost === undefined || known === undefined ? [] : differencesOf(cost, known);
  return {
    cost: known === undefined ? "unknown" : cost === undefined ? "absent" : differences.length > 0 ? "differs" : "same",
    differences,
    ...(paid === undefined ? {} : { margin: marginOf(price, paid) }),
    ...(published === undefined ? {} : { published }),
  };
}

/** Returns the numbers of prompt tokens above which a tier of one of the prices begins, from 0. */
const bordersOf = (...prices: readonly Price[]): readonly number[] =>
  [...new Set([0, ...prices.flatMap(({ tiers }) => tiers.map((tier) => tier.aboveInputTokens))])].sort((a, b) => a - b);

const ratesAbove = (price: Price, border: number) => tierOf(price, border + 1) ?? price;

function differencesOf(cost: Price, known: Price): readonly Difference[] {
  return bordersOf(cost, known).flatMap((border) => {
    const [own, published] = [ratesAbove(cost, border), ratesAbove(known, border)];
    return classes
      .filter((name) => own[name] !== published[name] && !(isDefault(own, name) && isDefault(published, name)))
      .map((name) => ({
        price: name,
        ...(border === 0 ? {} : { aboveInputTokens: border }),
        cost: formatAmount(own[name]),
        published: formatAmount(published[name]),
      }));
  });
}

/** Cache writes without a price of their own are left out, since clients cannot cause them. */
function marginOf(price: Price, cost: Price): NonNullable<TargetCheck["margin"]> {
  const all = bordersOf(price, cost).flatMap((border) => {
    const [sold, paid] = [ratesAbove(price, border), ratesAbove(cost, border)];
    const sellable = classes.filter((name) => name === "cachedInput" || !isDefault(sold, name));
    return sellable.flatMap((name) => share(sold[name], paid[name]) ?? []);
  });
  const [least] = all.toSorted((a, b) => (a < b ? -1 : 1));
  return {
    ...present("input", share(price.input, cost.input)),
    ...present("output", share(price.output, cost.output)),
    ...present("least", least),
  };
}

/** Returns the margin in tenths of a percent of the price. Undefined for a price of 0 without a cost. */
function share(price: bigint, cost: bigint): bigint | undefined {
  if (price === 0n) return cost === 0n ? undefined : -1_000n;
  return ((price - cost) * 1_000n) / price;
}

const present = (name: "input" | "output" | "least", tenths: bigint | undefined) =>
  tenths === undefined ? {} : { [name]: percent(tenths) };

function percent(tenths: bigint): string {
  const digits = (tenths < 0n ? -tenths : tenths).toString().padStart(2, "0");
  return `${tenths < 0n ? "-" : ""}${digits.slice(0, -1)}.${digits.slice(-1)}`;
}

function render(targets: readonly TargetCheck[], priceDate: string, width: number | undefined): string {
  const differences = targets.flatMap((target) => target.differences.map((each) => ({ ...each, target })));
  const proposed = targets.flatMap(({ cost, model, provider, published }) =>
    published !== undefined && (cost === "absent" || cost === "differs")
      ? [`${model} at ${provider}: cost: ${JSON.stringify(published)}\n`]
      : [],
  );
  return [
    renderItems(targets, targetTable, width),
    ...(differences.length === 0 ? [] : ["\n", renderItems(differences, differenceTable, width)]),
    ...(proposed.length === 0 ? [] : ["\nPublished costs that you can configure:\n", ...proposed]),
    `\nThe published prices are of ${priceDate}. Nothing was changed.\n`,
  ].join("");
}

const targetTable: Table<TargetCheck> = {
  empty: "The gateway has no models.",
  columns: [
    { title: "MODEL", truncates: true, text: ({ model }) => model },
    { title: "TARGET", truncates: true, text: ({ provider, upstreamModel }) => `${provider}/${upstreamModel}` },
    { title: "COST", text: ({ cost }) => cost },
    { title: "MARGIN IN %", right: true, text: ({ margin }) => margin?.input },
    { title: "OUT %", right: true, text: ({ margin }) => margin?.output },
    { title: "LEAST %", right: true, text: ({ margin }) => margin?.least },
  ],
};

const differenceTable: Table<Difference & { readonly target: TargetCheck }> = {
  empty: "",
  columns: [
    { title: "MODEL", truncates: true, text: ({ target }) => target.model },
    { title: "TARGET", truncates: true, text: ({ target }) => `${target.provider}/${target.upstreamModel}` },
    { title: "PRICE", text: ({ price }) => price },
    { title: "ABOVE TOKENS", right: true, text: ({ aboveInputTokens }) => aboveInputTokens },
    { title: "COST", right: true, text: ({ cost }) => cost },
    { title: "PUBLISHED", right: true, text: ({ published }) => published },
  ],
};
