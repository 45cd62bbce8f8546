/**
 * Returns an error message without secrets. Clients quote the failed command in their errors, and that command can
 * contain the password, so the quoted part is removed.
 */
export function describeError(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : String(failure);
  return message.replace(/,? with args .*$/s, "").replace(/\.$/, "");
}
