import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";
import { repositoryPath } from "./index-links.ts";
import { pageRoute } from "./page-route.ts";

/**
 * Makes links that are relative to a file of the repository lead to the pages of the site. A link to a file that is no page
 * is passed to `onFile`, which returns its address on the site.
 */
export function repositoryLinks(
  markdown: MarkdownRenderer,
  { root, onFile }: { readonly root: string; onFile(file: string): string },
): void {
  const addressOf = (file: string) => {
    if (file === "README.md") return "/";
    return file.endsWith(".md") ? `/${pageRoute(file)}` : onFile(file);
  };
  markdown.core.ruler.push("repository-links", ({ tokens, env }: { tokens: Token[]; env: MarkdownEnv }) => {
    const page = relative(root, env.realPath ?? env.path);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? (token.attrGet("href") ?? "") : "";
      const [path = "", anchor] = decodeURI(href).split("#");
      const file = repositoryPath(page, path);
      if (path === "" || /^[a-z]+:|^\//i.test(path) || !existsSync(join(root, file))) continue;
      token.attrSet("href", addressOf(file) + (anchor === undefined ? "" : `#${anchor}`));
    }
  });
}

type Token = ReturnType<MarkdownRenderer["parse"]>[number];
