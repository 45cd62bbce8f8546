import { type ContextManager, context, ROOT_CONTEXT, type SpanContext, TraceFlags, trace } from "@opentelemetry/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RequestParents } from "./request-parents.ts";

let active = ROOT_CONTEXT;
const manager: ContextManager = {
  active: () => active,
  with: (_context, work, self, ...args) => work.apply(self, args),
  bind: (_context, target) => target,
  enable: () => manager,
  disable: () => manager,
};

const spanContext = (digit: string): SpanContext => ({
  traceId: digit.repeat(32),
  spanId: digit.repeat(16),
  traceFlags: TraceFlags.SAMPLED,
});

function rememberIn(parents: RequestParents, requestId: string, parent: SpanContext): void {
  active = trace.setSpanContext(ROOT_CONTEXT, parent);
  parents.remember(requestId);
  active = ROOT_CONTEXT;
}

describe("RequestParents", () => {
  beforeAll(() => void context.setGlobalContextManager(manager));
  afterAll(() => context.disable());

  it("returns the span that was active when the request started, also in another context", () => {
    const parents = new RequestParents();
    rememberIn(parents, "a", spanContext("1"));
    rememberIn(parents, "b", spanContext("2"));
    expect(trace.getSpanContext(parents.take("a"))).toEqual(spanContext("1"));
    expect(trace.getSpanContext(parents.take("b"))).toEqual(spanContext("2"));
  });

  it("forgets the parent with the last span of the request", () => {
    const parents = new RequestParents();
    rememberIn(parents, "a", spanContext("1"));
    parents.take("a");
    expect(parents.take("a")).toBe(ROOT_CONTEXT);
  });

  it("has no parent for running requests with the same id, which a client may choose", () => {
    const parents = new RequestParents();
    rememberIn(parents, "a", spanContext("1"));
    rememberIn(parents, "a", spanContext("2"));
    expect(parents.take("a")).toBe(ROOT_CONTEXT);
  });

  it("keeps the parents of at most 10,000 requests, the newest", () => {
    const parents = new RequestParents();
    for (let request = 0; request <= 10_000; request++) rememberIn(parents, String(request), spanContext("1"));
    expect(parents.take("0")).toBe(ROOT_CONTEXT);
    expect(parents.take("1")).not.toBe(ROOT_CONTEXT);
    expect(parents.take("10000")).not.toBe(ROOT_CONTEXT);
  });
});
