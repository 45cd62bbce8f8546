import { expect, it } from "vitest";
import { allPages, linksOf } from "../docs/markdown.ts";
import { whyUnreachable } from "./why-unreachable.ts";

/** Names of documentation alone, which RFC 2606 and RFC 6761 reserve. */
const isReserved = (url: string) => /^[^/]*\/\/[^/]*\.(?:example|test|internal)(?::|\/|$)/.test(url);

it("every link to another site leads to a page", async () => {
  const found = allPages().flatMap((page) => linksOf(page).filter((link) => link.startsWith("https:")));
  const urls = [...new Set(found.map((link) => link.split("#")[0] ?? ""))].filter((url) => !isReserved(url));
  const problems: string[] = [];
  const check = async () => {
    for (let url = urls.pop(); url !== undefined; url = urls.pop()) {
      const problem = await whyUnreachable(url);
      if (problem !== undefined) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: 8 }, check));
  expect(problems.toSorted()).toEqual([]);
}, 600_000);
