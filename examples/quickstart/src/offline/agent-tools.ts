import type { Tool } from "@tollgate/core/provider";
import { isJsonObject } from "../json-object.ts";
import type { DraftCall } from "./draft.ts";

// Follows the tools of Claude Code, Codex, opencode, Cline, Continue, Cursor, Gemini CLI and Goose.
const actingWords = new Set(
  "bash browser cmd command computer edit editor exec execute fetch patch powershell python repl replace shell stdin terminal web webfetch websearch write".split(
    " ",
  ),
);
const commandMember = /^(?:cmd|commands?|script)$/i;
const pathMember = /^(?:(?:absolute|file|notebook|relative|target)?_?path|file_?name|target_file)$/i;
const readingWords = new Set(["cat", "open", "read", "view"]);
const imageFile = /\.(?:gif|jpe?g|png|webp)$/i;

/**
 * True for a tool that runs commands, changes files or requests URLs, by its name or its schema. The offline provider never
 * calls one, because the arguments that it makes are texts of the prompt.
 */
export const acts = (tool: Tool): boolean =>
  wordsOf(tool).some((word) => actingWords.has(word)) || membersOf(tool).some((name) => commandMember.test(name));

/** True for the tools of a coding agent: one of them acts, or takes the path of a file. */
export const areOfAgent = (tools: readonly Tool[]): boolean =>
  tools.some((tool) => acts(tool) || membersOf(tool).some((name) => pathMember.test(name)));

/** Returns the call with which an agent reads the first file that a text names, if it has a tool for that. */
export function readNamedFile(tools: readonly Tool[], text: string): readonly DraftCall[] {
  const file = namedFile(text);
  if (file === undefined) return [];
  const reader = tools.find((tool) => readsFiles(tool) && (!wordsOf(tool).includes("image") || imageFile.test(file)));
  const member = reader && membersOf(reader).find((name) => pathMember.test(name));
  if (reader === undefined || member === undefined) return [];
  return [{ name: reader.function.name, arguments: JSON.stringify({ [member]: file }) }];
}

/** True for a tool that needs nothing but a path, and whose name says that it reads. */
function readsFiles(tool: Tool): boolean {
  const { required } = tool.function.parameters;
  const needsPath = Array.isArray(required) && required.length === 1 && pathMember.test(String(required[0]));
  return needsPath && !acts(tool) && wordsOf(tool).some((word) => readingWords.has(word));
}

/** Returns the first word of a text that looks like the path of a file: it has an extension. */
function namedFile(text: string): string | undefined {
  for (const word of text.split(/[\s"'`“”‘’()<>[\]{},;]+/)) {
    if (word.length > maxPathLength) continue;
    const path = word.replace(/[.:!?]+$/, "");
    if (/^[\p{L}\p{N}_.~@+/\\-]+\.\p{L}[\p{L}\p{N}]{0,9}$/u.test(path)) return path;
  }
  return undefined;
}

const maxPathLength = 256;

/** Returns the words of a name in snake_case, kebab-case or camelCase. */
const wordsOf = ({ function: { name } }: Tool): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/);

const membersOf = ({ function: { parameters } }: Tool): readonly string[] =>
  isJsonObject(parameters["properties"]) ? Object.keys(parameters["properties"]) : [];
