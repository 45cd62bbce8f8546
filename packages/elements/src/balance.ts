import { below, type ElementDefinition } from "./element.ts";
import { amountText, dayText } from "./figures.ts";
import { node } from "./nodes.ts";
import { fill } from "./texts.ts";

interface Credits {
  readonly balance: {
    readonly currency: string | null;
    readonly available: string;
    readonly expiring: readonly { readonly amount: string; readonly expires_at: string }[];
  };
}

/** `<tollgate-balance router-url>`: what the account has, and what expires of it next. */
export const balance: ElementDefinition = {
  attributes: ["router-url"],
  async load({ texts, attribute, readWithToken }) {
    const { balance: found } = await readWithToken<Credits>(below(attribute("router-url"), "/credits"));
    const [next] = found.expiring;
    return [
      node("div", { class: "muted" }, texts.available),
      node("div", { class: "figure" }, amountText(found.available, found.currency)),
      ...(next === undefined
        ? []
        : [
            node(
              "p",
              { class: "muted" },
              fill(texts.expires, {
                amount: amountText(next.amount, found.currency),
                date: dayText(next.expires_at),
              }),
            ),
          ]),
    ];
  },
};
