/** A reason not to create an app. Its message says what to do next. */
export class Refusal extends Error {
  readonly exitCode: number = 1;
}

/** The person at the terminal pressed Ctrl-C. */
export class Cancelled extends Refusal {
  override readonly exitCode = 130;

  constructor() {
    super("Nothing was written. To start again, run npm create tollgate.");
  }
}
