import type { Feature } from "@tollgate/core/store";
import { features, isFeature } from "@tollgate/core/store";
import { misread, type Reader, readList } from "./text.ts";

/** Reads a comma-separated list of features. */
export const readFeatures: Reader<readonly Feature[]> = (text) =>
  readList("--features")(text).map((name) => {
    if (isFeature(name)) return name;
    throw misread("--features", name, `write a comma-separated list of ${features.join(", ")}`);
  });
