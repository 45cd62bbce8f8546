import { below, type ElementDefinition, type Loading } from "./element.ts";
import { node } from "./nodes.ts";
import { changeOf, requestJson } from "./request.ts";
import { fill } from "./texts.ts";

interface Key {
  readonly id: string;
  readonly name: string | null;
  readonly last_four: string;
}

interface CreatedKey {
  readonly key: Key;
  readonly secret: string;
}

const daySeconds = 86_400;

/** `<tollgate-keys portal-url>`: the active keys of the account, which it creates, rotates and revokes with the host's login. */
export const keys: ElementDefinition = {
  attributes: ["portal-url"],
  async load(loading) {
    const { texts, signal, attribute } = loading;
    const url = below(attribute("portal-url"), "/api/keys");
    const { data } = await requestJson<{ readonly data: readonly Key[] }>(texts, `${url}?state=active&limit=200`, {
      signal,
    });
    const problem = node("p", { class: "problem", role: "alert" });
    const place = node("div", { role: "status" });
    const actions = new KeyActions(loading, url, place, problem);
    const rows = data.map((key) => row(actions, loading, key));
    return [
      rows.length === 0 ? node("p", { class: "muted" }, texts.noKeys) : node("ul", {}, ...rows),
      actions.form(),
      place,
      problem,
    ];
  },
};

const nameOf = ({ name, last_four }: Key): string => `${name ?? ""} …${last_four}`.trim();

function row(actions: KeyActions, { texts }: Loading, key: Key): HTMLElement {
  const button = (text: string, run: () => Promise<void>) =>
    node("button", { type: "button", "aria-label": `${text} ${nameOf(key)}`, click: () => void run() }, text);
  return node(
    "li",
    { class: "row" },
    node("span", { class: "grow" }, nameOf(key)),
    button(texts.rotate, () => actions.rotate(key)),
    button(texts.revoke, () => actions.revoke(key)),
  );
}

/** What a customer does with keys, and where its outcome is shown. */
class KeyActions {
  readonly #loading: Loading;
  readonly #url: string;
  readonly #place: HTMLElement;
  readonly #problem: HTMLElement;

  constructor(loading: Loading, url: string, place: HTMLElement, problem: HTMLElement) {
    this.#loading = loading;
    this.#url = url;
    this.#place = place;
    this.#problem = problem;
  }

  /** The form of a new key. */
  form(): HTMLElement {
    const { texts } = this.#loading;
    const name = node("input", { "aria-label": texts.name, placeholder: texts.name, autocomplete: "off" });
    const submit = (event: Event): void => {
      event.preventDefault();
      const typed = name.value.trim();
      void this.#change("", typed === "" ? {} : { name: typed }, (created) => this.#show(created));
    };
    return node("form", { class: "row", submit }, name, node("button", { class: "primary" }, texts.create));
  }

  /** Asks, and replaces a key, whose secret works for one more day. */
  async rotate(key: Key): Promise<void> {
    const { texts } = this.#loading;
    if (!window.confirm(fill(texts.confirmRotate, { name: nameOf(key) }))) return;
    const path = `/${encodeURIComponent(key.id)}/rotate`;
    await this.#change(path, { grace_seconds: daySeconds }, (created) => this.#show(created));
  }

  /** Asks, and ends a key at once. */
  async revoke(key: Key): Promise<void> {
    const { texts, element } = this.#loading;
    if (!window.confirm(fill(texts.confirmRevoke, { name: nameOf(key) }))) return;
    await this.#change(`/${encodeURIComponent(key.id)}/revoke`, undefined, () => element.refresh());
  }

  async #change(path: string, body: unknown, done: (answer: CreatedKey) => unknown): Promise<void> {
    this.#problem.textContent = "";
    try {
      await done(await requestJson<CreatedKey>(this.#loading.texts, `${this.#url}${path}`, changeOf(body)));
    } catch (cause) {
      this.#problem.textContent = cause instanceof Error ? cause.message : String(cause);
    }
  }

  /** Shows a secret until the customer has it. */
  #show({ key, secret }: CreatedKey): void {
    const { texts, element } = this.#loading;
    const copy = node("button", { type: "button", class: "primary" }, texts.copy);
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(secret).catch(() => undefined);
      copy.textContent = texts.copied;
    });
    const done = node("button", { type: "button", click: () => element.refresh() }, texts.done);
    this.#place.replaceChildren(
      node("p", {}, fill(texts.secret, { name: nameOf(key) })),
      node("div", { class: "row" }, node("code", { class: "grow" }, secret), copy, done),
    );
    copy.focus();
  }
}
