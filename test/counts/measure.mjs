// node test/counts/measure.mjs [shape ...] [--against DIR] [--rounds N] [--sites]: see test/bench/README.md.
import "ts-blank-space/register";

await import("./print-counts.ts");
