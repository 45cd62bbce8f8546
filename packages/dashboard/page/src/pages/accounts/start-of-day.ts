/** Returns the start of a day such as "2026-11-27" in the viewer's zone, or of one after it, as ISO 8601. Undefined for no day. */
export function startOfDay(day: string | undefined, after = 0): string | undefined {
  const [year, month, date] =
    /^(\d{4})-(\d\d)-(\d\d)$/
      .exec(day ?? "")
      ?.slice(1)
      .map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  return new Date(year, month - 1, date + after).toISOString();
}
