/**
 * Why something failed, in words that can be shown. The error itself is not passed on, and what it quotes is cut: a
 * client quotes the command that failed, which may be the one that brings the password.
 */
export function describeError(failure: unknown): string {
  const words = failure instanceof Error ? failure.message : String(failure);
  return words.replace(/,? with args .*$/s, "").replace(/\.$/, "");
}
