/** The number of random cases for a property: a tenth of `all` and at least 100, or all of them if FAULTS is `long`. */
export const runs = (all: number): number =>
  process.env["FAULTS"] === "long" ? all : Math.min(all, Math.max(100, Math.round(all / 10)));
