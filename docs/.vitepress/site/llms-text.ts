import type { SitePage } from "./site-pages.ts";

/**
 * The text of llms.txt, as https://llmstxt.org describes it: a list of the pages with their first sentences. Links lead to
 * the Markdown of each page, which the site serves beside the page.
 */
export function llmsText(title: string, pages: readonly SitePage[], base: string): string {
  const front = pages.find(({ route }) => route === "index.md");
  const others = pages.filter((page) => page !== front);
  const folders = new Set(others.map(({ route }) => folderOf(route)));
  const sections = [...folders].map((folder) => {
    const lines = others.filter(({ route }) => folderOf(route) === folder).map((page) => lineOf(page, base));
    return `## ${folder === "" ? "Overview" : folder}\n\n${lines.join("\n")}\n`;
  });
  return [`# ${title}\n`, `> ${summaryOf(front?.text ?? "")}\n`, ...sections].join("\n");
}

const folderOf = (route: string) => (route.includes("/") ? (route.split("/")[0] ?? "") : "");

function lineOf({ title, route, text }: SitePage, base: string): string {
  const summary = summaryOf(text);
  return `- [${title}](${base}${route})${summary === "" ? "" : `: ${summary}`}`;
}

/** The first sentence of the first paragraph, without links. */
function summaryOf(text: string): string {
  const paragraph = text.split(/\n\n+/).find((each) => /^[A-Z`[]/.test(each)) ?? "";
  const plain = paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\s+/g, " ");
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, ".") ?? "";
}
