import type { ServerResponse } from "node:http";
import { openaiCompatible, type UpstreamLimits } from "@tollgate/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transports } from "../providers/calls.ts";
import { httpUpstream, type Upstream } from "../providers/upstream.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { routed } from "./routed.ts";
import { answersWith, hangs, named } from "./scripts.ts";

const completion = JSON.stringify(completionOf("slow but complete"));

describe.each(transports())("an answer without streaming over %s", (_name, transport) => {
  let upstream: Upstream;
  let answer: (response: ServerResponse) => void;
  beforeAll(async () => {
    upstream = await httpUpstream((request, response) => void request.resume().on("end", () => answer(response)));
  });
  afterAll(() => upstream.close());

  const scene = (limits: UpstreamLimits, others = 1) => {
    const first = openaiCompatible({ baseURL: upstream.baseURL, name: "first" });
    const rest = Array.from({ length: others }, () => named("other", answersWith("two")));
    return { rest, ...routed([first, ...rest], { transport, upstream: limits }) };
  };
  const failures = (reported: ReturnType<typeof scene>["reported"]) =>
    reported("attempt.failed").map((event) => ("detail" in event ? event.detail : undefined));

  it("whose head does not arrive fails over to the next target", async () => {
    answer = () => undefined;
    const { ask, reported } = scene({ headMs: 150 });
    expect(await ask(false)).toMatchObject({ text: "two", attempts: "2" });
    expect(failures(reported)).toEqual(["The head limit of 150 ms passed."]);
  });

  it("whose head does not arrive leaves each other target an equal share of totalMs", async () => {
    answer = () => undefined;
    const { ask, reported } = scene({ totalMs: 1_200 }, 2);
    expect(await ask(false)).toMatchObject({ text: "two", attempts: "2" });
    // What the request took before its first call is no longer shared.
    expect(failures(reported)).toEqual([expect.stringMatching(/^The head limit of (400|3[89]\d) ms passed\.$/)]);
  });

  it("has the whole headMs if no other target is left", async () => {
    answer = () => undefined;
    const { ask, reported } = scene({ headMs: 200, totalMs: 60_000 }, 0);
    expect(await ask(false)).toMatchObject({ status: 503, code: "upstream_timeout", attempts: "1" });
    expect(failures(reported)).toEqual(["The head limit of 200 ms passed."]);
  });

  it("that stalls fails over to the next target", async () => {
    answer = (response) => void response.writeHead(200, { "content-type": "application/json" }).write('{"choices":[');
    const { ask, reported } = scene({ idleMs: 150, headMs: 30_000 });
    expect(await ask(false)).toMatchObject({ text: "two", attempts: "2" });
    expect(failures(reported)).toEqual(["The idle limit of 150 ms passed."]);
  });

  it("may take longer than both limits while bytes keep arriving", async () => {
    const pieces = completion.match(/.{1,10}/g) ?? [];
    answer = (response) => {
      const step = () => {
        const piece = pieces.shift();
        if (piece === undefined) return void response.end();
        response.write(piece);
        setTimeout(step, 40);
      };
      response.writeHead(200, { "content-type": "application/json" });
      step();
    };
    const { ask, rest } = scene({ headMs: 500, idleMs: 500 });
    expect(pieces.length * 40).toBeGreaterThan(500);
    expect(await ask(false)).toMatchObject({ text: "slow but complete", attempts: "1" });
    expect(rest[0]?.calls).toHaveLength(0);
  });
});

describe("the limits of a model and of a target", () => {
  it.each([true, false])("override the gateway's, with stream %s", async (stream) => {
    const [first, second, third] = [
      named("first", hangs),
      named("second", hangs),
      named("third", answersWith("three")),
    ];
    const own = { headMs: 100, firstFrameMs: 100 };
    const places = [{ provider: first, model: "up", upstream: own }, second, third];
    const { ask, reported } = routed(places, {}, { upstream: { headMs: 200, firstFrameMs: 200 } });
    expect(await ask(stream)).toMatchObject({ text: "three", attempts: "3" });
    const kind = stream ? "first frame" : "head";
    expect(reported("attempt.failed")).toMatchObject([
      { detail: `The ${kind} limit of 100 ms passed.` },
      { detail: `The ${kind} limit of 200 ms passed.` },
    ]);
  });

  it("of a model apply to all its targets together", async () => {
    const { ask } = routed([named("first", hangs)], {}, { upstream: { totalMs: 150 } });
    for (const stream of [true, false]) {
      expect(await ask(stream)).toMatchObject({ status: 503, code: "upstream_timeout" });
    }
  });

  it("are rejected if they are invalid, or do not apply", () => {
    const place = { provider: named("first"), model: "up", upstream: { headMs: 0, totalMs: 5 } };
    expect(() => routed([place], { upstream: { headMs: -1 } }, { upstream: { idleMs: 0.5 } })).toThrow(
      /models \(plain\)\.upstream\.idleMs.*targets\[0\]\.upstream\.headMs.*targets\[0\]\.upstream\.totalMs` is not a member of a target's limits, which leave `totalMs` to its model.*`upstream\.headMs/s,
    );
  });
});
