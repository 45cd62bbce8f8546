import type { ChatMessage } from "@tollgate/core/provider";
import type { RecordedCall } from "../processes/journal.ts";
import { textOf } from "./note-keeper.ts";
import type { SessionContents } from "./session-contents.ts";
import { finalWords, imageOf, notePath, type TurnAnswer, type TurnCall } from "./turn-attempt.ts";

/**
 * A violation of the contract by a session. `half`: a turn is incomplete. `lost`: a completed turn is missing.
 * `double`: a turn is there twice. `ghost`: a turn is there that was refused or never sent. `overlap`: a turn did not
 * see all earlier turns, so two turns had the lock. `images`, `unlogged`: images or logs do not match the messages.
 * `stuck`: a lock or a hold did not end after its lease. `ledger`: the ledger is inconsistent. `unexpected`: an answer
 * that no fault explains.
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
    | "ledger"
    | "unexpected";
  readonly problem: string;
}

type Attempt = RecordedCall<TurnCall, TurnAnswer>;

/** Compares the contents of a session with the messages and answers of its clients. */
export function checkSession(contents: SessionContents, attempts: readonly Attempt[]): SessionViolation[] {
  const turns = turnsOf(contents.messages);
  return [
    ...turns.flatMap((turn, at) => checkTurn(turn, at)),
    ...checkAttempts(turns.map(markerOf), attempts),
    ...checkImages(contents, turns),
    ...checkLogs(contents, turns),
    ...attempts.flatMap(({ answer }) => (answer?.unexpected ? [found("unexpected", answer.unexpected)] : [])),
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
  const stored = new Set(markers);
  const outcomes = new Map(attempts.map(({ call, answer }) => [call.marker, answer?.outcome]));
  const twice = markers.filter((marker, at) => markers.indexOf(marker) !== at);
  const lost = [...outcomes].filter(([marker, outcome]) => outcome === "completed" && !stored.has(marker));
  const ghosts = markers.filter((marker) => !outcomes.has(marker) || outcomes.get(marker) === "refused");
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

/** Checks that the webhook of each turn was logged, which happens before the turn ends. */
function checkLogs({ loggedPaths }: SessionContents, turns: readonly ChatMessage[][]): SessionViolation[] {
  const unlogged = turns.filter((turn) => turn.length === 4 && !loggedPaths.has(notePath(markerOf(turn))));
  return unlogged.map((turn) => found("unlogged", markerOf(turn)));
}

const found = (kind: SessionViolation["kind"], problem: string): SessionViolation => ({ kind, problem });
