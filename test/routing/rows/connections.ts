import { breaksOff, credentials, failed, healthyPieces, late, unreachable } from "../outcome.ts";
import { type Row, same } from "../row.ts";
import { brokenEvents, close, hang, head, reset } from "../script.ts";
import { content, event, first, role } from "../upstream-frames.ts";

const json = { "content-type": "application/json", "content-length": "1000" };
const started = [event(role(first)), event(content(first, healthyPieces[0] ?? ""))] as const;
// The total limit applies to the request, so no attempt can follow it. It leaves enough time for a second target.
const short = { firstFrameMs: 600, idleMs: 600, totalMs: 2_400 };
// Comments count as received bytes of an answer without streaming, but not as frames of a stream.
const long = { ...short, totalMs: 8_000 };

/** Faults of a connection: before it is established, on it, and when it is silent. */
export const connections: readonly Row[] = [
  same("a name that does not resolve", [], unreachable, { at: "a name that does not resolve" }),
  same("a closed port", [], unreachable, { at: "a closed port" }),
  same("TLS that disconnects", [], unreachable, { at: "https that disconnects" }),
  same("an untrusted certificate", [], unreachable, { at: "https with an untrusted certificate" }),
  same("TLS that hangs", [], late(), { at: "https that hangs", limits: { connectMs: 250 } }),
  same("a reset before the head", [reset], unreachable),
  same("an end before the head", [close], unreachable),
  same("a reset inside the head", ["HTTP/1.1 200 OK\r\ncontent-ty", 5, reset], unreachable),
  same("a response that is not HTTP", ["220 mail.internal.example ESMTP\r\n", close], unreachable),
  same("a reset after the head", [head(200, json), 5, reset], failed),
  same("a reset inside JSON", [head(200, json), '{"choices":[{"index":0,"mess', 5, reset], failed),
  same("an end inside JSON", [head(200, json), '{"choices":[{"index":0,"mess', close], failed),
  same("a reset of a stream without a frame", brokenEvents(5, reset), failed),
  same("a reset of a stream after its role", brokenEvents(event(role(first)), 5, reset), failed),
  same("a head that never arrives", [hang], late(), { limits: { ...short, headMs: 600 } }),
  same("a frame that never arrives", brokenEvents(hang), late(), { limits: short }),
  same("comments and no frame", brokenEvents(...comments(40), hang), late(), { limits: long }),
  same("nothing after the role", brokenEvents(event(role(first)), hang), late(), { limits: short }),
  same("a hang inside JSON", [head(200, json), '{"choices":[', hang], late(), { limits: short }),
  same("JSON that outlasts the total limit", [head(200, json), '{"choices":[', hang], late(false), {
    limits: { totalMs: 600 },
  }),
  same("the body of an error that never ends", [head(403, json), '{"error":', hang], credentials(false)),
  {
    name: "a reset inside a frame",
    script: brokenEvents(...started, event(content(first, "lost")).slice(0, 40), 5, reset),
    whole: failed,
    streamed: breaksOff("upstream_failed"),
  },
  {
    name: "an end inside a frame",
    script: brokenEvents(...started, event(content(first, "lost")).slice(0, 40), close),
    whole: failed,
    streamed: breaksOff("upstream_failed"),
  },
  {
    name: "a hang in the middle of a stream",
    script: brokenEvents(...started, hang),
    limits: short,
    whole: late(),
    streamed: breaksOff("upstream_timeout"),
  },
  {
    name: "comments in the middle of a stream",
    script: brokenEvents(...started, ...comments(40), hang),
    limits: long,
    whole: late(),
    streamed: breaksOff("upstream_timeout"),
  },
  {
    name: "a stream that outlasts the total limit",
    script: brokenEvents(...started, hang),
    limits: { totalMs: 600 },
    whole: late(false),
    streamed: breaksOff("upstream_timeout"),
  },
];

function comments(count: number) {
  return Array.from({ length: count }, () => [": ping\n\n", 40]).flat();
}
