/** How many random cases a property is tested with: a tenth and at least 100, or all of them where FAULTS is `long`. */
export const runs = (all: number): number =>
  process.env["FAULTS"] === "long" ? all : Math.min(all, Math.max(100, Math.round(all / 10)));
