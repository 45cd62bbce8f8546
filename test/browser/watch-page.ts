import type { Page } from "playwright-core";

/**
 * Collects what goes wrong in a page from now on: errors and warnings of the console, which reports of the policy are too,
 * uncaught errors, and requests to another origin.
 */
export function watchPage(page: Page, origin: string): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const isOwn = request.url().startsWith(`${origin}/`) || request.url().startsWith("data:");
    if (!isOwn) problems.push(`request: ${request.url()}`);
  });
  return problems;
}
