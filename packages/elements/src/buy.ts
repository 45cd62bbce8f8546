import { below, type ElementDefinition, type Loading } from "./element.ts";
import { amountText } from "./figures.ts";
import { node } from "./nodes.ts";
import { changeOf, requestJson } from "./request.ts";
import { fill } from "./texts.ts";

interface Product {
  readonly id: string;
  readonly price: { readonly amount: string; readonly currency: string };
  readonly credit: string;
  readonly bonus: string;
}

/** `<tollgate-buy payments-url currency>`: what the host sells. A button leads to the page on which the customer pays. */
export const buy: ElementDefinition = {
  attributes: ["payments-url", "currency"],
  async load(loading) {
    const { texts, signal, attribute } = loading;
    const url = attribute("payments-url");
    const { data } = await requestJson<{ readonly data: readonly Product[] }>(texts, below(url, "/products"), {
      signal,
    });
    return [node("ul", {}, ...data.map((product) => offer(loading, url, product)))];
  },
};

function offer({ texts, element }: Loading, url: string, { id, price, credit, bonus }: Product): HTMLElement {
  const currency = element.getAttribute("currency");
  const problem = node("p", { class: "problem", role: "alert" });
  const pay = node(
    "button",
    { type: "button", class: "primary", click: () => void start() },
    fill(texts.pay, { price: amountText(price.amount, price.currency) }),
  );
  const start = async (): Promise<void> => {
    pay.disabled = true;
    problem.textContent = "";
    try {
      const made = await requestJson<{ readonly url: string }>(
        texts,
        below(url, "/checkout"),
        changeOf({ product: id }),
      );
      if (leave(element, made.url)) window.location.assign(made.url);
    } catch (cause) {
      problem.textContent = cause instanceof Error ? cause.message : String(cause);
    }
    pay.disabled = false;
  };
  const extra = Number(bonus) > 0 ? fill(texts.bonus, { bonus: amountText(bonus, currency) }) : "";
  const name = node(
    "span",
    { class: "grow" },
    amountText(credit, currency),
    " ",
    node("span", { class: "muted" }, extra),
  );
  return node("li", { class: "row" }, name, pay, problem);
}

/** Tells the page where the customer pays. False: the page goes there by itself. */
const leave = (element: HTMLElement, url: string): boolean =>
  element.dispatchEvent(new CustomEvent("tollgate-checkout", { detail: { url }, bubbles: true, cancelable: true }));
