import { randomBytes } from "node:crypto";
import { relative } from "node:path";
import { appFiles, ownVersion } from "./app-files.ts";
import { type Answers, missingVariables } from "./choices.ts";
import { completeAnswers, type Terminal } from "./complete-answers.ts";
import { exampleCommand, readFlags, valuesOf } from "./flags.ts";
import { installationPage } from "./readme.ts";
import { Refusal } from "./refusal.ts";
import { targetFolder, writeFiles } from "./target-folder.ts";

/** Runs `create-tollgate` with the parameters of its command line. Resolves to the exit code. */
export async function runCreate(parameters: readonly string[], terminal: Terminal): Promise<number> {
  try {
    terminal.output.write(`${await create(parameters, terminal)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    terminal.errors.write(`${error.message}\n`);
    return error.exitCode;
  }
}

async function create(parameters: readonly string[], terminal: Terminal): Promise<string> {
  const flags = readFlags(parameters);
  if (flags.help) return help;
  if (flags.version) return ownVersion;
  const answers = await completeAnswers(flags, terminal);
  const { path, name } = targetFolder(terminal.cwd, answers.folder);
  const password = randomBytes(16).toString("base64url");
  write(path, appFiles({ ...answers, name, password }));
  return nextSteps(answers, relative(terminal.cwd, path));
}

function write(path: string, files: Readonly<Record<string, string>>): void {
  try {
    writeFiles(path, files);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refusal(`${path} cannot be written: ${reason}. Choose a folder where you may write.`, { cause });
  }
}

function nextSteps(answers: Answers, folder: string): string {
  const variables = missingVariables(answers);
  return [
    `Created ${folder === "" ? "the app in this folder" : folder}. Next:`,
    "",
    ...(folder === "" ? [] : [`  cd ${folder}`]),
    ...(variables.length > 0 ? [`  set ${variables.join(" and ")} in .env`] : []),
    ...(answers.store === "postgres" ? ["  set DATABASE_URL in .env, or see README.md to start PostgreSQL"] : []),
    "  npm install",
    "  npm start",
    "",
    `If npm does not find a package of Tollgate, see ${installationPage}`,
  ].join("\n");
}

const help = `Creates an app with Tollgate, an LLM gateway. It asks for what the flags do not give.

npm create tollgate [folder] -- [flags]

  --framework  ${valuesOf("framework")}
  --language   ${valuesOf("language")}
  --store      ${valuesOf("store")}
  --provider   ${valuesOf("provider")}
  --yes, -y    take defaults instead of asking
  --version    print the version
  --help       print this text

Example: ${exampleCommand}`;
