import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { buildHosts } from "./build-hosts.ts";
import { cases, type Scene } from "./cases.ts";
import { installRuntime } from "./install-runtimes.ts";
import { probeCases } from "./probe-cases.ts";
import { mounts, type Runtime, runtimes } from "./runtimes.ts";
import { type RunningHost, startHost } from "./start-host.ts";
import { openSurroundings, type Surroundings } from "./surroundings.ts";
import { chargesStream, sharedGatewayEndsStreams } from "./worker-cases.ts";

const programs = await Promise.all(runtimes.map(({ name }) => installRuntime(name)));
await buildHosts();

// `print-table.ts` reads the names: the runtime, the mount, and the label of the case. A test whose name continues with
// "refused: " or "differs: " shows what this runtime cannot do, or does in another way.
for (const [index, runtime] of runtimes.entries())
  describe(runtime.title, () => testRuntime(runtime, programs[index] ?? ""));

function testRuntime(runtime: Runtime, program: string): void {
  const { name, refusals, noticesLeavingLate = false, withoutUndici } = runtime;
  const differences: Readonly<Record<string, string | false | undefined>> = {
    abort: noticesLeavingLate && "a client that leaves is noticed when the next frame is written to it",
    pooledTransport: withoutUndici && "it sends with fetch, and says so",
  };
  const nameOf = (label: string, title: string): string => {
    const difference = differences[label];
    return difference ? `${label}: differs: ${difference}` : `${label}: ${title}`;
  };
  let around: Surroundings;
  let host: RunningHost;
  beforeAll(async () => {
    around = await openSurroundings(inject("postgres"));
    host = await startHost(name, program, around.settings);
  });
  afterAll(async () => {
    await host?.[Symbol.asyncDispose]();
    await around?.[Symbol.asyncDispose]();
  });
  const originOf = (server: string): string => host.origins.get(server) ?? "";
  const sceneOf = (server: string): Scene => ({
    origin: originOf(server),
    upstream: around.upstream,
    noticesLeavingLate,
  });

  describe.each(mounts)("%s", (mount) => {
    const refusal = refusals[mount];
    if (refusal === undefined) {
      for (const { label, title, run } of cases) it(nameOf(label, title), () => run(sceneOf(mount)));
    } else {
      it(`JSON: refused: ${refusal.reason}`, async () => {
        expect(await (await fetch(originOf(mount))).text()).toContain(refusal.message);
      });
    }
  });

  describe("packages", () => {
    for (const probe of probeCases) {
      const ask = async () => (await fetch(`${originOf("probes")}/${encodeURIComponent(probe.name)}`)).json();
      const refusal = refusals[probe.name];
      if (refusal === undefined)
        it(nameOf(probe.name, probe.title), async () => probe.check(await ask(), around, runtime));
      else {
        it(`${probe.name}: refused: ${refusal.reason}`, async () => {
          expect(await ask()).toEqual({ error: expect.stringContaining(refusal.message) });
        });
      }
    }
  });

  if (name !== "workerd") return;

  describe("workers", () => {
    it("a gateway in each request: charges for a stream and records its usage in PostgreSQL", () =>
      chargesStream(originOf("example"), around));

    it("one gateway for all: ends streams at their time limits", () =>
      sharedGatewayEndsStreams(sceneOf("shared gateway")));
  });
}
