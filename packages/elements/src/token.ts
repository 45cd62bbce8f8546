/** A browser token, or the function that fetches one from the host's server. It is asked again when the token has expired. */
export type TokenSource = string | (() => Promise<string>);

/** Keeps the token of a source until the server refuses it. */
export class Tokens {
  readonly #source: TokenSource;
  #token: Promise<string> | undefined;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** Returns the token, which a function is asked for once. */
  get(): Promise<string> {
    if (typeof this.#source === "string") return Promise.resolve(this.#source);
    this.#token ??= this.#source();
    return this.#token;
  }

  /** Forgets a token that was refused. Returns false if there is no other one. */
  renew(): boolean {
    this.#token = undefined;
    return typeof this.#source === "function";
  }
}
