/** The content of the page on which terms are accepted. */
export interface TermsPage {
  readonly account: string;
  /** The result of the last submission. */
  readonly message?: string;
}

/** Renders the page as HTML, with all input of the visitor escaped. */
export function renderPage({ account, message }: TermsPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Terms of the quickstart</title>
<style>
  body { font: 1.05rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem; color: #222 }
  h1 { font-size: 1.5rem }
  label { display: block; margin: 1.5rem 0 1rem }
  input, button { font: inherit; padding: .4rem .7rem; border: 1px solid #888; border-radius: .4rem }
  button { background: #14532d; border-color: #14532d; color: #fff; cursor: pointer }
  output { display: block; padding: .8rem 1rem; border-radius: .4rem; background: #e8f3ec }
</style>
<h1>Terms, January 2026</h1>
${message === undefined ? "" : `<output>${escapeHtml(message)}</output>`}
<p>These are the terms of a demo. They have no other content.</p>
<form method="post">
  <label>Account <input name="account" value="${escapeHtml(account)}" required></label>
  <button>Accept the terms of January 2026</button>
</form>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
