import type { Readable, Writable } from "node:stream";
import { type CANCEL_SYMBOL, intro, isCancel, select, text } from "@clack/prompts";
import type { Answers } from "./answers.ts";
import { type AppChoices, type ChoiceName, choices, defaults, isOption } from "./choices.ts";
import type { Given } from "./flags.ts";
import { Cancelled, Refusal } from "./refusal.ts";
import { defaultFolder, targetFolder } from "./target-folder.ts";

/** The streams of a terminal, and its working directory. */
export interface Screen {
  readonly input: Readable;
  readonly output: Writable;
  readonly cwd: string;
}

/** Asks for what the command line did not give. Throws `Cancelled` at Ctrl-C. */
export async function askMissing(given: Given, screen: Screen): Promise<Answers> {
  intro("Tollgate: an LLM gateway in your Node server", screen);
  return {
    folder: given.folder ?? (await askFolder(screen)),
    framework: given.framework ?? (await ask("framework", "Which framework?", screen)),
    language: given.language ?? (await ask("language", "Which language?", screen)),
    store: given.store ?? (await ask("store", "Where should keys, balances and usage be kept?", screen)),
    provider: given.provider ?? (await ask("provider", "What should answer requests?", screen)),
  };
}

async function askFolder({ input, output, cwd }: Screen): Promise<string> {
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

async function ask<Name extends ChoiceName>(name: Name, message: string, screen: Screen): Promise<AppChoices[Name]> {
  const { input, output } = screen;
  const options = Object.entries(choices[name]).map(([value, { label }]) => ({ value, label }));
  const answer = answered(await select<string>({ message, options, initialValue: defaults[name], input, output }));
  if (isOption(name, answer)) return answer;
  throw new Error(`The answer "${answer}" is not an option of ${name}. Report this at the repository of Tollgate.`);
}

function answered<Answer>(answer: Answer | typeof CANCEL_SYMBOL): Answer {
  if (isCancel(answer)) throw new Cancelled();
  return answer;
}
