import type { ChatMessage } from "@tollgate/core/provider";
import type { RecordedCall } from "../processes/journal.ts";
import { textOf } from "./note-keeper.ts";
import type { SessionContents } from "./session-contents.ts";
import { finalWords, imageOf, notePath, type TurnAnswer, type TurnCall } from "./turn-attempt.ts";

/**
 * Something that a session may not show. `half`: a turn is not whole. `lost`: a turn that a client was told of is not
 * there. `double`: it is there twice. `ghost`: one is there that was refused, or never sent. `overlap`: a turn did not
 * see all that are before it, so two had the lock. `images`, `unlogged`: they do not fit the messages. `stuck`: a lock
 * or a hold outlived its lease. `books`: the ledger does not add up. `strange`: a client was told what nothing explains.
 */
export interface SessionViolation {
  readonly kind:
    | "half"
    | "lost"
    | "double"
    | "ghost"
    | "overlap"
    | "images"
    | "unlogged"
    | "stuck"
    | "books"
    | "strange";
  readonly problem: string;
}

type Attempt = RecordedCall<TurnCall, TurnAnswer>;

/** Checks what a session has against what its clients sent and were told. */
export function checkSession(contents: SessionContents, attempts: readonly Attempt[]): SessionViolation[] {
  const turns = turnsOf(contents.messages);
  return [
    ...turns.flatMap((turn, at) => checkTurn(turn, at)),
    ...checkAttempts(turns.map(markerOf), attempts),
    ...checkImages(contents, turns),
    ...checkLogs(contents, turns),
    ...attempts.flatMap(({ answer }) => (answer?.strange ? [found("strange", answer.strange)] : [])),
  ];
}

function turnsOf(messages: readonly ChatMessage[]): ChatMessage[][] {
  const turns: ChatMessage[][] = [];
  for (const message of messages) {
    if (message.role === "user" || turns.length === 0) turns.push([message]);
    else turns.at(-1)?.push(message);
  }
  return turns;
}

const markerOf = ([asked]: readonly ChatMessage[]): string => textOf(asked);

function checkTurn(turn: readonly ChatMessage[], at: number): SessionViolation[] {
  const marker = markerOf(turn);
  const roles = turn.map(({ role }) => role).join(", ");
  if (roles !== "user, assistant, tool, assistant") return [found("half", `Turn ${at} of ${marker} is: ${roles}`)];
  const said = textOf(turn[3]);
  return said === finalWords(marker, at) ? [] : [found("overlap", `Turn ${at} of ${marker} ends with: ${said}`)];
}

function checkAttempts(markers: readonly string[], attempts: readonly Attempt[]): SessionViolation[] {
  const kept = new Set(markers);
  const may = new Map(attempts.map(({ call, answer }) => [call.marker, answer?.outcome]));
  const twice = markers.filter((marker, at) => markers.indexOf(marker) !== at);
  const lost = [...may].filter(([marker, outcome]) => outcome === "kept" && !kept.has(marker));
  const ghosts = markers.filter((marker) => !may.has(marker) || may.get(marker) === "refused");
  return [
    ...twice.map((marker) => found("double", marker)),
    ...lost.map(([marker]) => found("lost", marker)),
    ...ghosts.map((marker) => found("ghost", marker)),
  ];
}

function checkImages({ images }: SessionContents, turns: readonly ChatMessage[][]): SessionViolation[] {
  const wanted = turns.map((turn) => imageOf(markerOf(turn)));
  if (images.length === wanted.length && images.every((image, at) => image === wanted[at])) return [];
  return [found("images", `${images.length} images of ${wanted.length} messages, or in another order`)];
}

/** A webhook is logged before its turn ends, whatever becomes of the turn. */
function checkLogs({ loggedPaths }: SessionContents, turns: readonly ChatMessage[][]): SessionViolation[] {
  const unlogged = turns.filter((turn) => turn.length === 4 && !loggedPaths.has(notePath(markerOf(turn))));
  return unlogged.map((turn) => found("unlogged", markerOf(turn)));
}

const found = (kind: SessionViolation["kind"], problem: string): SessionViolation => ({ kind, problem });
