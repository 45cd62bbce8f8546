const brand = Symbol.for("tollgate.payment-provider-unavailable");

/** A payment provider cannot be reached, is overloaded or did not answer in time. The call can be repeated. */
export class ProviderUnavailable extends Error {
  readonly [brand] = true;
  override readonly name = "ProviderUnavailable";

  /** Returns true for a ProviderUnavailable of any copy of this package. */
  static is(value: unknown): value is ProviderUnavailable {
    return typeof value === "object" && value !== null && brand in value;
  }
}
