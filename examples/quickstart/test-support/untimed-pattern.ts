/** A pattern without the time limit of `TimedPattern`, which a busy machine exceeds; for patterns that end by themselves. */
export class UntimedPattern {
  constructor(private readonly pattern: string) {}

  /** False also for an invalid pattern. */
  matches(text: string): boolean {
    try {
      return new RegExp(this.pattern, "u").test(text);
    } catch {
      return false;
    }
  }
}
