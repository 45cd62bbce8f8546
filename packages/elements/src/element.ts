import { node } from "./nodes.ts";
import { RequestError, requestJson } from "./request.ts";
import { style } from "./style.ts";
import { type ElementTexts, fill } from "./texts.ts";
import { type TokenSource, Tokens } from "./token.ts";

/** An element of this package in a page. */
export interface TollgateElement extends HTMLElement {
  /** The browser token, or a function that fetches one. Only `<tollgate-balance>` and `<tollgate-usage>` use it. */
  token: TokenSource | undefined;
  /** Loads everything again. Resolves when it is shown. */
  refresh(): Promise<void>;
}

/** What an element works with when it loads. */
export interface Loading {
  readonly texts: ElementTexts;
  readonly signal: AbortSignal;
  readonly element: TollgateElement;
  /** Returns an attribute. Throws an error that names it if it is absent. */
  attribute(name: string): string;
  /** Reads JSON of the router with the token. One that was refused is fetched again once. */
  readWithToken<Answer>(url: string): Promise<Answer>;
}

/** An element: the attributes after whose change it loads again, and what it shows. */
export interface ElementDefinition {
  readonly attributes: readonly string[];
  load(loading: Loading): Promise<readonly Node[]>;
}

/** Defines a custom element, unless its name is taken. */
export function defineElement(name: string, definition: ElementDefinition, texts: ElementTexts): void {
  if (customElements.get(name) !== undefined) return;
  // The class is made here, since a server that renders the page imports this file, and has no HTMLElement.
  customElements.define(
    name,
    class extends HTMLElement implements TollgateElement {
      static readonly observedAttributes = definition.attributes;
      readonly #content = new Content(this, definition, texts);

      get token(): TokenSource | undefined {
        return this.#content.token;
      }

      set token(source: TokenSource | undefined) {
        this.#content.token = source;
        if (this.isConnected) void this.refresh();
      }

      refresh(): Promise<void> {
        return this.#content.load();
      }

      connectedCallback(): void {
        takeProperty(this);
        void this.refresh();
      }

      disconnectedCallback(): void {
        this.#content.abort();
      }

      attributeChangedCallback(): void {
        if (this.isConnected) void this.refresh();
      }
    },
  );
}

/** A framework may set the property before the element is defined. It then hides that of the class. */
function takeProperty(element: TollgateElement): void {
  if (!Object.hasOwn(element, "token")) return;
  const { token } = element;
  Reflect.deleteProperty(element, "token");
  element.token = token;
}

/** What an element shows in its shadow, and how it is loaded. */
class Content {
  readonly #element: TollgateElement;
  readonly #definition: ElementDefinition;
  readonly #texts: ElementTexts;
  readonly #box = node("div", { class: "box" });
  #tokens: Tokens | undefined;
  #token: TokenSource | undefined;
  #abort = new AbortController();

  constructor(element: TollgateElement, definition: ElementDefinition, texts: ElementTexts) {
    this.#element = element;
    this.#definition = definition;
    this.#texts = texts;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    const root = element.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    root.append(this.#box);
  }

  get token(): TokenSource | undefined {
    return this.#token;
  }

  set token(source: TokenSource | undefined) {
    this.#token = source;
    this.#tokens = source === undefined ? undefined : new Tokens(source);
  }

  abort(): void {
    this.#abort.abort();
  }

  async load(): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#box.ariaBusy = "true";
    if (!this.#box.hasChildNodes()) this.#box.append(node("p", { class: "muted" }, this.#texts.loading));
    const shown = await this.#definition.load(this.#loading(signal)).catch((cause: unknown) => this.#problem(cause));
    if (signal.aborted) return;
    this.#box.ariaBusy = "false";
    this.#box.replaceChildren(...shown);
  }

  #loading(signal: AbortSignal): Loading {
    return {
      texts: this.#texts,
      signal,
      element: this.#element,
      attribute: (wanted) => {
        const value = this.#element.getAttribute(wanted);
        if (value === null) throw new RequestError(0, fill(this.#texts.missing, { name: wanted }));
        return value;
      },
      readWithToken: <Answer>(url: string) => this.#readWithToken<Answer>(url, signal),
    };
  }

  async #readWithToken<Answer>(url: string, signal: AbortSignal): Promise<Answer> {
    const tokens = this.#tokens;
    if (tokens === undefined) throw new RequestError(0, this.#texts.noToken);
    const read = async (): Promise<Answer> => {
      const headers = { authorization: `Bearer ${await tokens.get()}` };
      return requestJson<Answer>(this.#texts, url, { headers, signal });
    };
    try {
      return await read();
    } catch (cause) {
      if (cause instanceof RequestError && cause.status === 401 && tokens.renew()) return read();
      throw cause;
    }
  }

  #problem(cause: unknown): readonly Node[] {
    const message = cause instanceof Error ? cause.message : String(cause);
    const retry = node("button", { type: "button", click: () => this.load() }, this.#texts.retry);
    return [node("p", { class: "problem", role: "alert" }, message), node("div", { class: "row" }, retry)];
  }
}

/** Returns a path below the address of an attribute, whether or not that ends with a slash. */
export const below = (address: string, path: string): string => `${address.replace(/\/$/, "")}${path}`;
