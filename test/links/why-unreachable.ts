/** Sites that answer a program with these statuses, although the page is there for people. */
const refusals: ReadonlySet<number> = new Set([401, 403, 405, 429, 999]);

/** Asks for a page. Returns what is wrong with a link to it, or undefined if people can read the page. */
export async function whyUnreachable(url: string, timeoutMs = 30_000): Promise<string | undefined> {
  try {
    const headers = { "user-agent": "Mozilla/5.0 (compatible; link check)" };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return response.ok || refusals.has(response.status) ? undefined : `${url} answers ${response.status}`;
  } catch (error) {
    return `${url} does not answer: ${error instanceof Error ? (error.cause ?? error) : error}`;
  }
}
