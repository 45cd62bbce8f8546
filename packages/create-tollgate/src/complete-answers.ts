import type { Readable, Writable } from "node:stream";
import { type CANCEL_SYMBOL, intro, isCancel, select, text } from "@clack/prompts";
import { type Answers, type AppChoices, type ChoiceName, choices, defaults, isOption } from "./choices.ts";
import { exampleCommand, type Flags, type Given, valuesOf } from "./flags.ts";
import { Cancelled, Refusal } from "./refusal.ts";
import { defaultFolder, targetFolder } from "./target-folder.ts";

/** The streams of a terminal, or of what stands in for one, and its working directory. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
  readonly cwd: string;
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
}

/** Completes the flags with defaults or with answers. Throws a {@link Refusal} if there is nobody to ask. */
export async function completeAnswers(flags: Flags, terminal: Terminal): Promise<Answers> {
  const { folder, framework, language, store, provider } = flags;
  // A folder that cannot be used is refused before anything is asked.
  if (folder !== undefined) targetFolder(terminal.cwd, folder);
  const isComplete = folder && framework && language && store && provider;
  if (isComplete || flags.yes) return withDefaults(flags);
  if (terminal.isInteractive) return askMissing(flags, terminal);
  throw new Refusal(
    `There is no terminal to ask at. Add ${missingParts(flags).join("; ")}; or --yes for defaults: ${exampleCommand}`,
  );
}

const withDefaults = ({ folder, framework, language, store, provider }: Given): Answers => ({
  folder: folder ?? defaultFolder,
  framework: framework ?? defaults.framework,
  language: language ?? defaults.language,
  store: store ?? defaults.store,
  provider: provider ?? defaults.provider,
});

const choiceNames: readonly ChoiceName[] = ["framework", "language", "store", "provider"];

function missingParts(known: Given): readonly string[] {
  const missing = choiceNames.filter((name) => known[name] === undefined);
  return [
    ...(known.folder === undefined ? ["the name of a folder"] : []),
    ...missing.map((name) => `--${name} (${valuesOf(name)})`),
  ];
}

/** Asks for what the command line did not give. Throws `Cancelled` at Ctrl-C. */
async function askMissing(known: Given, terminal: Terminal): Promise<Answers> {
  intro("Tollgate: an LLM gateway in your Node server", terminal);
  return {
    folder: known.folder ?? (await askFolder(terminal)),
    framework: known.framework ?? (await ask("framework", "Which framework?", terminal)),
    language: known.language ?? (await ask("language", "Which language?", terminal)),
    store: known.store ?? (await ask("store", "Where should keys, balances and usage be kept?", terminal)),
    provider: known.provider ?? (await ask("provider", "What should answer requests?", terminal)),
  };
}

async function askFolder({ input, output, cwd }: Terminal): Promise<string> {
  const validate = (folder: string | undefined): string | undefined => problemOf(cwd, folder || defaultFolder);
  const options = { placeholder: defaultFolder, defaultValue: defaultFolder, validate, input, output };
  return answered(await text({ message: "In which folder?", ...options }));
}

function problemOf(cwd: string, folder: string): string | undefined {
  try {
    targetFolder(cwd, folder);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

async function ask<Name extends ChoiceName>(
  name: Name,
  message: string,
  terminal: Terminal,
): Promise<AppChoices[Name]> {
  const { input, output } = terminal;
  const options = Object.entries(choices[name]).map(([value, { label }]) => ({ value, label }));
  const answer = answered(await select<string>({ message, options, initialValue: defaults[name], input, output }));
  if (isOption(name, answer)) return answer;
  throw new Error(`The answer "${answer}" is not an option of ${name}. Report this at the repository of Tollgate.`);
}

function answered<Answer>(answer: Answer | typeof CANCEL_SYMBOL): Answer {
  if (isCancel(answer)) throw new Cancelled();
  return answer;
}
