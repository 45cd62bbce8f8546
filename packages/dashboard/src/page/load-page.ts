/** A file of the page. */
export interface PageFile {
  /** The media type with its charset. */
  readonly type: string;
  /** Identifies the text. */
  readonly tag: string;
  readonly text: string;
  /** The text compressed by Brotli, in base64. Absent for a short one. */
  readonly br?: string;
  /** The text compressed by gzip, in base64. Absent for a short one. */
  readonly gzip?: string;
}

/** The files of the page by their path, such as "index.html" and "assets/index-1a2b3c.js". */
export type PageFiles = Readonly<Record<string, PageFile>>;

/** Loads the files that the build embeds. Rejects if the page was not built, which happens only in a checkout. */
export async function loadPage(): Promise<PageFiles> {
  try {
    const { pageFiles } = await import("./page-files.generated.ts");
    return pageFiles;
  } catch (cause) {
    throw new Error("The page of the dashboard is not built. Run `node scripts/build.mjs`.", { cause });
  }
}
