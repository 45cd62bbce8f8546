import type { Counts } from "./measure-counts.ts";
import type { CountedShapeName } from "./shapes.ts";

/** The most that a request of a shape may take. */
export interface Bar extends Pick<Counts, "cacheMisses" | "bytes"> {
  readonly shape: CountedShapeName;
}

/** The major version of Node whose V8 the bars were measured with: that of `.ci/run`. */
export const nodeOfBars = 20;

/**
 * The aim for `short` is 20,000 bytes. Each bar is the figure of `node test/counts/measure.mjs`
 * and 3%, so a commit that lowers the figure lowers the bar too, except that misses keep a bar of 0.1. A commit that raises
 * a bar says why.
 */
export const bars: readonly Bar[] = [{ shape: "short", cacheMisses: 0.1, bytes: 20_500 }];
