import { type Agent, type IncomingMessage, request } from "node:http";
import { isWholeAnswer, smallRequestParts } from "../../faults/dialects/small-request.ts";
import { storedResponseId } from "../../faults/dialects/stored-response-id.ts";
import { promptOf } from "../upstream/planned-answer.ts";
import type { Outcome, SoakCall } from "./soak-call.ts";

/** Where a request goes, and with which key. */
export interface Destination {
  readonly agent: Agent;
  readonly port: number;
  readonly secret: string;
}

/** The outcome of a call, and the size of its request. */
export interface SentCall {
  readonly outcome: Outcome;
  readonly bodyBytes: number;
}

const patienceMs = 40_000;

/** Sends a request over a socket, and leaves when the call says so. Always resolves. */
export function sendCall(call: SoakCall, { agent, port, secret }: Destination): Promise<SentCall> {
  const { dialect, stream, model, plan, continues } = call;
  const asked = { dialect, stream, model, secret, requestId: plan.id, text: promptOf(plan), continues };
  const { path, headers, body } = smallRequestParts(asked);
  const bodyBytes = Buffer.byteLength(body);
  return new Promise((resolve) => {
    const sent = request({ agent, port, host: "127.0.0.1", path: `/router/v1${path}`, method: "POST", headers });
    let left = false;
    let response: IncomingMessage | undefined;
    let text = "";
    const leave = () => {
      left = true;
      sent.destroy();
    };
    const timers = [setTimeout(() => sent.destroy(), patienceMs)];
    sent.on("error", () => undefined);
    sent.once("response", (answer) => {
      response = answer.setEncoding("utf8");
      answer.on("error", () => undefined);
      answer.on("data", (part: string) => {
        text += part;
        if (call.abort !== undefined && "afterBytes" in call.abort && text.length >= call.abort.afterBytes) leave();
      });
    });
    sent.once("close", () => {
      for (const timer of timers) clearTimeout(timer);
      resolve({ bodyBytes, outcome: outcomeOf(call, { response, text, left }) });
    });
    sent.end(body, () => {
      if (call.abort !== undefined && "afterMs" in call.abort) timers.push(setTimeout(leave, call.abort.afterMs));
    });
  });
}

interface Received {
  readonly response: IncomingMessage | undefined;
  readonly text: string;
  /** True if the client has ended the connection. */
  readonly left: boolean;
}

function outcomeOf(call: SoakCall, { response, text, left }: Received): Outcome {
  const status = response?.statusCode;
  if (status === undefined) return { kind: "cut", by: left ? "client" : "connection" };
  // Of an answer that arrived whole, a client that left has not read all.
  if (left || response?.complete !== true) return { kind: "cut", by: left ? "client" : "connection", status };
  if (status !== 200) return { kind: "refused", status, text };
  try {
    if (!isWholeAnswer(call, status, text)) return { kind: "cut", by: "error frame", status };
  } catch (error) {
    return { kind: "broken", status, text: `${error instanceof Error ? error.message : error}` };
  }
  const stored = call.dialect === "responses" ? storedResponseId(text) : undefined;
  return { kind: "whole", status, ...(stored === undefined ? {} : { stored }) };
}
