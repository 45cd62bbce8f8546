/** A pattern without the time limit of `TimedPattern`, which could be exceeded on a busy machine. For patterns that always terminate. */
export class UntimedPattern {
  constructor(private readonly pattern: string) {}

  /** Returns false for an invalid pattern as well. */
  matches(text: string): boolean {
    try {
      return new RegExp(this.pattern, "u").test(text);
    } catch {
      return false;
    }
  }
}
