import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { Records } from "@tollgate/cli";
import { runCli } from "../../packages/cli/src/run-cli.ts";
import type { Terminal } from "../../packages/cli/src/terminal.ts";

/** The result of a command line. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with a config file that exports the given records. Command lines run in this process. */
export interface CliUnderTest {
  readonly folder: string;
  /** Runs a command line. With `columns`, the output is a terminal of that width. */
  run(
    argv: readonly string[],
    terminal?: Partial<Pick<Terminal, "signal" | "confirm">> & { readonly columns?: number },
  ): Promise<Ended>;
  close(): void;
}

/** The records of the config files, by folder. */
const records = new Map<string, Records>();
Object.assign(globalThis, { recordsOfTests: records });

/** Creates a folder with a config file for the records, or without a config file. */
export function openCli(given?: Records): CliUnderTest {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-cli-"));
  if (given !== undefined) {
    records.set(folder, given);
    const source = `globalThis.recordsOfTests.get(${JSON.stringify(folder)})`;
    writeFileSync(join(folder, "tollgate.config.mjs"), `export default ${source};\n`);
  }
  return {
    folder,
    run: async (argv, { columns, ...others } = {}) => {
      const [out, err] = [collector(columns), collector()];
      const code = await runCli(argv, {
        out: out.stream,
        err: err.stream,
        cwd: folder,
        ...others,
      });
      return { code, out: out.text(), err: err.text() };
    },
    close: () => {
      records.delete(folder);
      rmSync(folder, { recursive: true });
    },
  };
}

function collector(columns?: number) {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, taken) {
      text += chunk;
      taken();
    },
  });
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  return { stream: Object.assign(stream, terminal), text: () => text };
}
