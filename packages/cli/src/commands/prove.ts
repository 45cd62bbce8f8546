import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { Failure } from "../failure.ts";
import { printable } from "../output/printable.ts";
import { renderFields } from "../output/table.ts";
import type { Difference } from "../prove/check-proof.ts";
import { openPlace, withPlace } from "../prove/place.ts";
import { type Proof, runProof, storesOf } from "../prove/run-proof.ts";
import { type ProofTask, serveClients } from "../prove/worker.ts";
import { readCount } from "../readers.ts";
import type { Session } from "../session.ts";

/** Adds `prove`, and the hidden command of its processes. */
export function addProveCommand(program: Command, run: Run): void {
  program
    .command("prove")
    .description("Kill processes under load, and check that the ledger of your stores lost nothing. Uses new stores.")
    .option("--kills <n>", "the number of kills", readCount("--kills"), 50)
    .addHelpText("after", example("prove", "prove --kills 5"))
    .action(({ kills }: { readonly kills: number }) =>
      withPlace((place) =>
        run(
          async (session) => report(session, await runProof(session, place, kills)),
          (file) => openPlace(file, place),
        ),
      ),
    );
  program
    .command("prove-worker", { hidden: true })
    .argument("<task>")
    .action((text: string) => {
      const task: ProofTask = JSON.parse(text);
      return run(
        async (session) => {
          await serveClients(storesOf(session), task);
          // The stores stay open for the other processes.
          process.exit();
        },
        (file) => openWithoutClose(file, task),
      );
    });
}

async function openWithoutClose(file: string, { place }: ProofTask) {
  const { close: _close, ...records } = await openPlace(file, place);
  return records;
}

/** The differences that are shown. Each has a receipt. */
const mostShown = 20;

async function report(session: Session, { differences, ...counts }: Proof): Promise<void> {
  const count = (kind: Difference["kind"]) => differences.filter((each) => each.kind === kind).length;
  const found = { lost: count("lost"), twice: count("twice"), overspent: count("overspent") };
  const shape = { ...counts, ...found, differences: differences.slice(0, mostShown) };
  const [first] = differences;
  const verdict = `${found.lost} lost, ${found.twice} twice, ${found.overspent} overspent`;
  await session.show(shape, () => [renderCounts(counts), first ? describe(first) : "", `\n${verdict}\n`].join(""));
  if (first !== undefined) throw new Failure("violations_found", `The ledger is not exact. ${adviceOn(first)}`);
  if (counts.settlements === 0) throw new Failure("failed", "No request was charged, so nothing is proved. Try again.");
}

const renderCounts = (counts: Omit<Proof, "differences">): string =>
  renderFields([
    ["kills", counts.kills],
    ["answers", counts.answers],
    ["refused", counts.refusals],
    ["holds", counts.holds],
    ["settled", counts.settlements],
    ["cut off by a kill", counts.cut],
    ["credits", counts.credits],
    ["seconds", counts.seconds],
  ]);

/** The problem in words, and the receipt as JSON. */
function describe({ kind, problem, receipt }: Difference): string {
  const shown = receipt === undefined ? "" : `Its receipt: ${printable(JSON.stringify(receipt))}\n`;
  return `\nThe first difference (${kind}): ${printable(problem)}\n${shown}`;
}

const adviceOn = ({ problem }: Difference): string =>
  `${problem} Do not sell from these stores before this is explained; with --json, every difference is listed.`;
