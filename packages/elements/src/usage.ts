import { below, type ElementDefinition, type Loading } from "./element.ts";
import { amountText, bucketText, sumOf } from "./figures.ts";
import { node } from "./nodes.ts";
import { fill } from "./texts.ts";

interface Usage {
  readonly data: readonly Day[];
}

interface Day {
  readonly start: string;
  readonly requests: number;
  readonly cost: string;
}

const defaultDays = 30;
const mostDays = 90;
const dayMs = 86_400_000;

/** `<tollgate-usage router-url days currency>`: the cost of the last days, as bars and as a table. */
export const usage: ElementDefinition = {
  attributes: ["router-url", "days", "currency"],
  async load(loading) {
    const { texts, element } = loading;
    const days = daysOf(element.getAttribute("days"));
    const from = new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, "2027-01-31".length);
    const url = below(loading.attribute("router-url"), `/usage?bucket=day&from=${from}`);
    const { data } = await loading.readWithToken<Usage>(url);
    const currency = element.getAttribute("currency");
    const total = amountText(sumOf(data.map(({ cost }) => cost)), currency);
    const title = node("div", { class: "muted" }, fill(texts.cost, { days }));
    if (data.length === 0) return [title, node("p", {}, fill(texts.noUsage, { days }))];
    return [
      title,
      node("div", { class: "figure" }, total),
      bars(data, from, days, currency),
      table(texts, data, currency),
    ];
  },
};

const daysOf = (text: string | null): number =>
  text !== null && /^\d{1,2}$/.test(text) ? Math.min(mostDays, Math.max(1, Number(text))) : defaultDays;

/** The bars are for the eye; the table says the same. */
function bars(data: readonly Day[], from: string, days: number, currency: string | null): HTMLElement {
  const costs = new Map(data.map(({ start, cost }) => [Date.parse(start), cost]));
  const highest = Math.max(...data.map(({ cost }) => Number(cost)), Number.MIN_VALUE);
  const drawn = Array.from({ length: days }, (_, index) => {
    const start = Date.parse(from) + index * dayMs;
    const cost = costs.get(start) ?? "0";
    const bar = node("span", { title: `${bucketText(new Date(start).toISOString())}: ${amountText(cost, currency)}` });
    bar.style.height = `${((Number(cost) / highest) * 100).toFixed(1)}%`;
    return bar;
  });
  return node("div", { class: "bars", "aria-hidden": "true" }, ...drawn);
}

function table(texts: Loading["texts"], data: readonly Day[], currency: string | null): HTMLElement {
  const head = [texts.day, texts.requests, texts.amount].map((name) => node("th", { scope: "col" }, name));
  const rows = data.map(({ start, requests, cost }) =>
    node(
      "tr",
      {},
      ...[bucketText(start), requests.toLocaleString(), amountText(cost, currency)].map((text) => node("td", {}, text)),
    ),
  );
  return node(
    "details",
    {},
    node("summary", {}, texts.day),
    node("table", {}, node("thead", {}, node("tr", {}, ...head)), node("tbody", {}, ...rows)),
  );
}
