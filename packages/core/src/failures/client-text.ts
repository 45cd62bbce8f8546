const removed = "[removed]";
const longest = 500;
const longestRead = 4_000;

// An upstream chooses the text, so each takes time in proportion to it: a repetition begins at one place of a word only
// (the lookbehinds), and a lookahead that can fail at many places looks a bounded way ahead.
const patterns: readonly RegExp[] = [
  // A part of it may be taken out already, and what stands behind that is no less of it.
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?:\[removed\]|[^\s"'<>)\]])+/gi,
  /\bBearer\s+[^\s,;"'`]+/gi,
  /(?<![^\s"'`])[^\s"'`]*?\*{3}[^\s"'`]*/g,
  /\b(?:sk|pk|rk|gsk|xai|pplx|nvapi|hf|r8|fw|tgp|csk)[-_][\w*.-]{6,}/g,
  /\b(?:AKIA|ASIA|AIza|ya29\.|eyJ)[\w*.-]{8,}/g,
  /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  /\b(?:sk|org|proj|req)[-_][\w-]+/g,
  /\b(?:acct|user|team|asst|ws)[-_][A-Za-z0-9]{10,}\b/g,
  /\b(?:org|organi[sz]ation|proj|project|req|request|acct|account|user|team|trace|session|msg|resp|run|gen|chatcmpl)[-_](?=[\w-]{0,64}\d)[\w-]{6,}/g,
  /\b(?:projects|organizations|accounts|subscriptions|deployments)\/[\w-]+/g,
  /(?<=\b(?:request|trace|correlation|project|organi[sz]ation|account)[ _-]?(?:id|number)?["']?\s?[:=#]?\s?["']?)(?=[\w-]{0,64}\d)[\w-]{6,}/gi,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\[?(?:\b[0-9a-f]{1,4})?(?::{1,2}[0-9a-f]{1,4}){2,7}\]?(?::\d+)?/gi,
  /\blocalhost(?::\d+)?\b/gi,
  /(?<![a-z0-9.-])\.*(?:[a-z0-9-]+\.+)+(?:com|net|org|io|ai|dev|cloud|app|co|us|eu|uk|de|fr|ch|cn|jp|internal|local|lan|svc|cluster|corp|intra|test|invalid|example)\b(?::\d+)?/gi,
  /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w+/=-]{30,}/g,
  // The path and the query of a host that was named without its scheme.
  /\[removed\][/?](?:\[removed\]|[^\s"'<>)\]])+/g,
];

/**
 * An upstream's words, fit for the client: without the strings in `hidden` and without URLs, host names, addresses,
 * ids and whatever looks like a key. At most 500 characters; undefined when nothing is left to say.
 */
export function clientText(text: string, hidden: readonly string[] = []): string | undefined {
  let clean = excerpt(text);
  for (const secret of hidden) if (secret.length > 2) clean = clean.replaceAll(secret, removed);
  for (const pattern of patterns) clean = clean.replace(pattern, removed);
  clean = clean.trim();
  return clean === "" ? undefined : clean.length > longest ? `${clean.slice(0, longest - 3)}...` : clean;
}

/** A cut in the middle of a word could leave half a key, which no pattern knows. */
function excerpt(text: string): string {
  const cut = text.length > longestRead ? (/^[\s\S]*\s/.exec(text.slice(0, longestRead))?.[0] ?? "") : text;
  return cut.replace(/[\s\p{Cc}]+/gu, " ");
}
