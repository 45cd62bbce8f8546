import { formatAmount } from "../options/decimal.ts";
import type { EndEvent, Observer } from "../ports/observer.ts";
import type { TimelineStep } from "../ports/usage-store.ts";
import type { TokenCounts } from "../wire/usage.ts";
import { consoleObserver } from "./console-observer.ts";

/**
 * Returns an observer for development that prints the timeline of each request to `console.error` when it ends: its steps
 * in milliseconds, the targets and their failures, the tokens, the cost and the ending. It also prints what
 * {@link consoleObserver} prints. It prints no key, no prompt and no answer.
 *
 * @example
 * const gateway = createGateway({ keys, balances, plans, models, observer: traceObserver() });
 */
export function traceObserver(): Observer {
  const printProblem = consoleObserver();
  return (event) => {
    printProblem(event);
    if (event.type === "request.completed" || event.type === "request.refused")
      console.error(linesOf(event).map(printable).join("\n"));
  };
}

function linesOf(end: EndEvent): readonly string[] {
  const { endpoint, status, ending, durationMs, requestId, account, keyId, plan, model, sessionId } = end;
  const result = end.type === "request.refused" ? `${status} ${end.code}` : status;
  return [
    `tollgate: ${endpoint} ${result}, ${ending} after ${durationMs} ms, request ${requestId}`,
    ...detailLine({ account, key: keyId, plan, model, session: sessionId }),
    ...end.timeline.map(stepLine),
    ...(end.tokens === undefined ? [] : [chargeLine(end, end.tokens)]),
  ];
}

function detailLine(details: Readonly<Record<string, string | undefined>>): readonly string[] {
  const present = Object.entries(details).filter(([, value]) => value !== undefined);
  return present.length === 0 ? [] : [`  ${present.map(([name, value]) => `${name} ${value}`).join(", ")}`];
}

function stepLine({ step, at, detail, status, message }: TimelineStep): string {
  const told = [detail, status, message === undefined ? undefined : `"${message}"`].filter(
    (each) => each !== undefined,
  );
  return `  ${String(at).padStart(7)} ms  ${[step, ...told].join(" ")}`;
}

function chargeLine(end: EndEvent, tokens: TokenCounts): string {
  const { cost = 0n, upstreamCost, estimated, implausible, finishReasons = [] } = end;
  return [
    `  tokens ${tokensOf(tokens)}`,
    ...(estimated === true ? ["estimated"] : []),
    ...(implausible === true ? ["reduced to ten times the hold"] : []),
    `cost ${formatAmount(cost)}`,
    ...(upstreamCost === undefined ? [] : [`upstream cost ${formatAmount(upstreamCost)}`]),
    ...(finishReasons.length === 0 ? [] : [`finished with ${finishReasons.join(" ")}`]),
  ].join(", ");
}

function tokensOf({ input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning }: TokenCounts): string {
  const classes = { input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning };
  return Object.entries(classes)
    .filter(([name, count]) => count > 0 || name === "input" || name === "output")
    .map(([name, count]) => `${name} ${count}`)
    .join(" ");
}

/** An upstream writes messages and finish reasons, which may contain escape sequences of a terminal. */
const printable = (line: string): string => line.replace(/\p{C}/gu, "\u{FFFD}");
