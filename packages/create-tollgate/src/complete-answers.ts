import type { Answers } from "./answers.ts";
import { type ChoiceName, defaults } from "./choices.ts";
import { exampleCommand, type Flags, type Given, valuesOf } from "./flags.ts";
import { askMissing, type Screen } from "./questions.ts";
import { Refusal } from "./refusal.ts";
import { defaultFolder, targetFolder } from "./target-folder.ts";

/** A terminal, or what stands in for one. */
export interface Terminal extends Screen {
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
}

/** Completes the flags with defaults or with answers. Throws a {@link Refusal} if there is nobody to ask. */
export async function completeAnswers(flags: Flags, terminal: Terminal): Promise<Answers> {
  const { folder, framework, language, store, provider } = flags;
  // A folder that cannot be used is refused before anything is asked.
  if (folder !== undefined) targetFolder(terminal.cwd, folder);
  const isComplete = folder && framework && language && store && provider;
  if (isComplete) return { folder, framework, language, store, provider };
  if (flags.yes) return withDefaults(flags);
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

function missingParts(given: Given): readonly string[] {
  const missing = choiceNames.filter((name) => given[name] === undefined);
  return [
    ...(given.folder === undefined ? ["the name of a folder"] : []),
    ...missing.map((name) => `--${name} (${valuesOf(name)})`),
  ];
}
