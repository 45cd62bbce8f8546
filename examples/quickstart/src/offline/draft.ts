/** A tool call, before it is split into tokens. */
export interface DraftCall {
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
}

/** The content of one choice, before it is split into tokens. */
export interface Draft {
  readonly reasoning?: string;
  readonly content?: string;
  readonly calls: readonly DraftCall[];
}
