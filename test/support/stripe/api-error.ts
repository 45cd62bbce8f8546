/** An answer of the API. */
export interface Answer {
  readonly status: number;
  readonly body: object;
}

/** An error of the API in Stripe's shape. https://docs.stripe.com/api/errors */
export class ApiError extends Error {
  readonly answer: Answer;

  constructor(
    status: number,
    error: { readonly type: string; readonly message: string; readonly code?: string; readonly param?: string },
  ) {
    super(error.message);
    this.answer = { status, body: { error } };
  }
}
