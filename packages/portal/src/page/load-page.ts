import type { BuiltPage } from "@tollgate/management/internal";

/** The segments of the path at which the page is served; "" is the mount itself. */
export const pageNames: readonly string[] = [
  "",
  "overview",
  "usage",
  "keys",
  "requests",
  "payments",
  "terms",
  "notices",
];

/** Loads the page that the build embeds. Rejects if it was not built, which happens only in a checkout. */
export async function loadPage(): Promise<BuiltPage> {
  try {
    const { pageFiles } = await import("./page-files.generated.ts");
    return { names: pageNames, files: pageFiles };
  } catch (cause) {
    throw new Error("The page of the portal is not built. Run `node scripts/build.mjs`.", { cause });
  }
}
