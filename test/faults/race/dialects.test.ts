import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres } from "@tollgate/postgres";
import { Pool } from "pg";
import { describe, expect, inject, it } from "vitest";
import { closedGate } from "../../support/gate.ts";
import { gatewayUnderTest } from "../../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../../support/scripted-provider.ts";
import { embeddingsAnswer } from "../../upstream/embeddings-form.ts";
import { type SpokenDialect, smallRequest, spokenDialects } from "../dialects/small-request.ts";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { type RacedRequests, type RaceSize, raceRequests } from "./race-requests.ts";

const clients = 60;
const payable = 10;
/** What a request costs, in nano-units: its own price alone. */
const amount = 100_000_000n;

const mixes: readonly (readonly [string, readonly SpokenDialect[]])[] = [
  ...spokenDialects.map((dialect) => [dialect, [dialect]] as const),
  ["all dialects at once", spokenDialects],
];

it.each(mixes)(
  `${clients} clients of %s get exactly ${payable} answers from a balance for as many`,
  async (_name, mix) => {
    const gate = closedGate();
    const complete = async () => {
      await gate.opened;
      return completionOf("Hello");
    };
    const embeddings = async () => {
      await gate.opened;
      const body = new TextEncoder().encode(JSON.stringify(embeddingsAnswer({}, "upstream-model", 10)));
      return { kind: "json", body } as const;
    };
    const targets = [
      { provider: { ...scriptedProvider({ complete }), dialects: { embeddings } }, model: "upstream-model" },
    ];
    const price = { input: "0", output: "0", request: "0.1" };
    const { gateway, balances, key } = gatewayUnderTest({
      models: [
        { id: "plain", maxOutputTokens: 100, contextWindow: 8_000, price, targets },
        { id: "embedding", kind: "embedding", price, targets },
      ],
    });
    const secret = await key();
    const answers = Array.from({ length: clients }, async (_, client) => {
      const dialect = mix[client % mix.length] ?? "chat";
      const model = dialect === "embeddings" ? "embedding" : "plain";
      const request = smallRequest({ dialect, secret, stream: false, requestId: crypto.randomUUID(), model });
      return (await gateway.fetch(request)).status;
    });
    await expect.poll(() => gateway.inFlight()).toBe(payable);
    expect(await balances.balance("acme")).toMatchObject({ held: amount * BigInt(payable), available: 0n });
    gate.open();
    const statuses = await Promise.all(answers);
    expect(statuses.filter((status) => status === 200)).toHaveLength(payable);
    expect(statuses.filter((status) => status === 402)).toHaveLength(clients - payable);
    expect(await balances.balance("acme")).toMatchObject({ posted: 0n, held: 0n });
    expect(await balances.verify()).toEqual([]);
  },
);

const size: RaceSize = { rounds: { long: 20, short: 3 }[form], processes: 3, clients: 24, payable: 60 };

describe(`${size.clients} clients of ${size.processes} processes, in all dialects`, () => {
  const title = `get exactly ${size.payable} answers from a balance for as many`;

  it(`${title}, in SQLite`, async () => {
    expectExact("SQLite", await inTemporaryFile((file) => raceRequests({ kind: "sqlite", file }, size)));
  }, 300_000);

  it.skipIf(inject("postgres") === undefined)(
    `${title}, in PostgreSQL`,
    async () => {
      const url = inject("postgres") ?? "";
      const schema = `requests_${crypto.randomUUID().slice(0, 8)}`;
      const pool = new Pool({ connectionString: url });
      await migratePostgres(pool, { schema });
      const raced = await raceRequests({ kind: "postgres", url, schema }, size);
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
      expectExact("PostgreSQL", raced);
    },
    300_000,
  );

  it("get more in a store whose hold does not check the balance", async () => {
    const { violations } = await inTemporaryFile((file) =>
      raceRequests({ kind: "sqlite", file }, { ...size, rounds: 1 }, "guard dropped"),
    );
    expect(violations.join()).toContain(`requests were answered instead of ${size.payable}.`);
  }, 60_000);
});

function expectExact(store: string, { violations, figures }: RacedRequests): void {
  printFigures(`Race of requests in all dialects on ${store}`, figures);
  expect(violations).toEqual([]);
  for (const name of [...spokenDialects, "of which streams", "rounds that all shared"]) {
    expect(figures[name], name).toBeGreaterThan(0);
  }
}

async function inTemporaryFile<Result>(use: (file: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-sqlite-"));
  try {
    return await use(join(folder, "stores.db"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
