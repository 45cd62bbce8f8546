import { chatShape } from "../wire/chat-completion-request.ts";

const removed = "[removed]";

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
export const hideHosts = (text: string): string =>
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
export const hidePaths = (text: string): string =>
  text.replace(bedrockModel, removed).replace(slashed, (found) => {
    const segments = found.split("/").filter((segment) => segment !== "");
    if (mediaType.test(found) || segments.every((segment) => /^[\d.]+%?$/.test(segment))) return found;
    const isName = segments.length > 2 || found.startsWith("/") || segments.some((segment) => /[\d@:-]/.test(segment));
    return isName ? removed : found;
  });
