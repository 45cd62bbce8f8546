import { parseArgs } from "node:util";
import { type Answers, type AppChoices, type ChoiceName, choices, isOption } from "./choices.ts";
import { Refusal } from "./refusal.ts";

/** The answers that the command line gives. The others are undefined. */
export type Given = { readonly [Name in keyof Answers]: Answers[Name] | undefined };

/** What the command line says. */
export interface Flags extends Given {
  readonly yes: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

const options = {
  framework: { type: "string" },
  language: { type: "string" },
  store: { type: "string" },
  provider: { type: "string" },
  yes: { type: "boolean", short: "y", default: false },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", short: "v", default: false },
} as const;

/** A command with every choice, for help and errors. */
export const exampleCommand =
  "npm create tollgate my-app -- --framework express --language ts --store sqlite --provider offline";

/** Reads the command line. Throws a {@link Refusal} for what it does not know. */
export function readFlags(parameters: readonly string[]): Flags {
  const { values, positionals } = parse(parameters);
  const { framework, language, store, provider, ...rest } = values;
  const [folder, ...others] = positionals;
  // npm takes flags before "--" for its own, and leaves their values.
  if (others.length > 0) throw new Refusal(`Name one folder, and put "--" between it and the flags: ${exampleCommand}`);
  return {
    ...rest,
    folder,
    framework: readOption("framework", framework),
    language: readOption("language", language),
    store: readOption("store", store),
    provider: readOption("provider", provider),
  };
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({ args: [...parameters], options, allowPositionals: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`${reason.replace(/\.( .*)?$/s, "")}. To list the flags, run npm create tollgate -- --help`);
  }
}

function readOption<Name extends ChoiceName>(name: Name, value: string | undefined): AppChoices[Name] | undefined {
  if (value === undefined || isOption(name, value)) return value;
  throw new Refusal(`--${name} is "${value}". Choose one of ${valuesOf(name)}.`);
}

/** The options of a choice, for people. */
export const valuesOf = (name: ChoiceName): string => Object.keys(choices[name]).join(", ");
