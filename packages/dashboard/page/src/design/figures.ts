const count = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const share = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });
const change = new Intl.NumberFormat(undefined, {
  style: "percent",
  maximumFractionDigits: 0,
  signDisplay: "exceptZero",
});
const seconds = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** Formats a whole number with every digit. */
export const countText = (value: number): string => count.format(value);

/** Formats a number shortly, such as "1.2M". */
export const compactText = (value: number): string => compact.format(value);

/** Formats a share of 0 to 1 in percent; one that is not zero never reads as zero. */
export function shareText(value: number | null): string {
  if (value === null) return "–";
  return value > 0 && value < 0.001 ? `< ${share.format(0.001)}` : share.format(value);
}

/** Formats a change with its sign, such as "+12%". */
export const changeText = (value: number): string => change.format(value);

/** Formats milliseconds, as seconds from one second on; a dash for null. */
export function durationText(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${count.format(Math.round(ms))} ms` : `${seconds.format(ms / 1_000)} s`;
}

/** Formats bytes in KiB or MiB. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KiB"] : [bytes / 1024 / 1024, "MiB"];
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(value)} ${unit}`;
}
