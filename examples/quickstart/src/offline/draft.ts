/** A call of a function, before it is cut into tokens. */
export interface DraftCall {
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
}

/** What one choice is going to say, whole. */
export interface Draft {
  readonly reasoning?: string;
  readonly content?: string;
  readonly calls: readonly DraftCall[];
}
