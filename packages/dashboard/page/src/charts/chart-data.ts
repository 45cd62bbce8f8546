/** A series of a chart: one value for each bucket, null where there is none. */
export interface ChartSeries {
  readonly name: string;
  /** 0 to 7, or "others". */
  readonly colour: number | "others";
  readonly values: readonly (number | null)[];
}

/** What a chart shows. */
export interface ChartData {
  /** The middle of each bucket, in seconds since the epoch. */
  readonly middles: readonly number[];
  readonly labels: readonly string[];
  /** The period, in seconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly series: readonly ChartSeries[];
  /** True: bars on top of each other. False: lines. */
  readonly stacked: boolean;
}

/** Returns the sums of each series with the ones before it, so that bars stand on top of each other. */
export function stack(series: readonly ChartSeries[]): readonly (readonly number[])[] {
  const sums: number[][] = [];
  for (const { values } of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)));
  }
  return sums;
}
