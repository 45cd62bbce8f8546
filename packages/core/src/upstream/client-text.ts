import { chatShape } from "../wire/chat-completion-request.ts";

const removed = "[removed]";
const maxLength = 500;
const maxReadLength = 4_000;

// An upstream chooses the text, so each pattern takes linear time: a lookbehind lets a repetition begin only once in a
// word, and a lookahead that can fail at many positions has a bounded length.
const patterns: readonly RegExp[] = [
  // A part of the URL may already be replaced; the rest after it belongs to the URL too.
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
  /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w+/=-]{30,}/g,
];

/** The path and query of a host without a scheme. */
const afterHost = /\[removed\][/?](?:\[removed\]|[^\s"'<>)\]])+/g;
/** A private-use character, which no pattern matches as part of a word. */
const publicName = "\ue000";

/**
 * Removes from an upstream's message what the client must not see: the strings in `hidden`, URLs, host names, paths of
 * models, addresses, ids, and anything that looks like a key. The public model id stays. Returns at most 500 characters, or
 * undefined if nothing is left.
 */
export function clientText(text: string, hidden: readonly string[] = [], publicModel = ""): string | undefined {
  let clean = excerpt(text);
  if (publicModel !== "") clean = clean.replaceAll(wholeName(publicModel), publicName);
  for (const secret of hidden) if (secret.length > 2) clean = clean.replaceAll(secret, removed);
  for (const pattern of patterns) clean = clean.replace(pattern, removed);
  clean = hidePaths(hideHosts(clean).replace(afterHost, removed))
    .replaceAll(publicName, () => publicModel)
    .trim();
  return clean === "" ? undefined : clean.length > maxLength ? `${clean.slice(0, maxLength - 3)}...` : clean;
}

/** Matches a name that is no part of a longer one. */
const wholeName = (name: string): RegExp =>
  new RegExp(`(?<![\\w/.-])${name.replaceAll(/[^\w ]/g, "\\$&")}(?![\\w/-]|\\.\\w)`, "g");

/** Cuts at white space only, since no pattern finds a key that was cut. */
function excerpt(text: string): string {
  const cut = text.length > maxReadLength ? (/^[\s\S]*\s/.exec(text.slice(0, maxReadLength))?.[0] ?? "") : text;
  return cut.replace(/[\s\p{Cc}\p{Co}]+/gu, " ");
}

/** Names with which the dot paths of a request begin, in any API: `messages.0.role`, `input.0.content`, `body.system`. */
const pathStarts: ReadonlySet<string> = new Set([
  ...chatShape.names,
  ..."system input instructions metadata thinking output_config body params query properties schema".split(" "),
  ..."contents parts generationconfig generation_config systeminstruction toolconfig safetysettings".split(" "),
]);

/** Endings of file names, which are no domains. */
const fileEnding = /^(?:csv|gif|html|jpe?g|js|json|pdf|png|txt|wav|webp|xml|ya?ml)$/i;
/** Endings of names that are hosts even with an underscore, which no domain has. */
const domain =
  /^(?:com|net|org|io|ai|dev|cloud|app|co|us|eu|uk|de|fr|ch|cn|jp|internal|local|lan|svc|cluster|corp|intra)$/i;

// An upstream chooses the text, so the patterns take linear time: a lookbehind lets each begin only once in a word.
const dotted = /(?<![\w.\]-])\.*[\w-]+(?:\.+[\w-]+)+(?::\d+)?/g;
const slashed = /(?<![\w./@:-])\/?[\w.@:-]+(?:\/[\w.@:-]+)+/g;
const bedrockModel = /(?<![\w.-])(?:[a-z]+\.)+[\w-]+-v\d+:\d+/g;
const mediaType = /^(?:application|audio|font|image|message|model|multipart|text|video)\//;

/** Replaces what has the shape of a host name. Dot paths of a request, numbers, versions and files stay. */
const hideHosts = (text: string): string =>
  text.replace(dotted, (found, at: number) => {
    const isPath = text[at + found.length] === "[";
    const [name = "", port] = found.split(":");
    const labels = name.replace(/^\.+/, "").split(/\.+/);
    const [first = ""] = labels;
    const last = labels.at(-1) ?? "";
    if (!/^(?:[a-z]{2,}|[A-Z]{2,}|xn--[\w-]+)$/.test(last)) return found;
    if (isPath || pathStarts.has(first.toLowerCase()) || (port === undefined && fileEnding.test(last))) return found;
    if (!name.includes("_")) return removed;
    return domain.test(last) ? name.slice(0, name.lastIndexOf("_") + 1) + removed : found;
  });

/** Replaces what has the shape of a path, such as the name of a model in an account. Media types, numbers and pairs of words stay. */
const hidePaths = (text: string): string =>
  text.replace(bedrockModel, removed).replace(slashed, (found) => {
    const segments = found.split("/").filter((segment) => segment !== "");
    if (mediaType.test(found) || segments.every((segment) => /^[\d.]+%?$/.test(segment))) return found;
    const isName = segments.length > 2 || found.startsWith("/") || segments.some((segment) => /[\d@:-]/.test(segment));
    return isName ? removed : found;
  });
