import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatAmount, type GatewayState } from "@tollgate/core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse as parseYaml } from "yaml";

const folder = mkdtempSync(join(tmpdir(), "tollgate-migrations-"));
const read = (file: string) => readFileSync(`examples/mounts/migration/${file}`, "utf8");

beforeAll(() => {
  vi.stubEnv("DATABASE_FILE", join(folder, "acme.db"));
  for (const name of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]) vi.stubEnv(name, "sk-of-the-host");
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const targetsOf = ({ models }: GatewayState) =>
  models.flatMap(({ id, targets }) => targets.map((target) => ({ ...target, id })));

describe("the gateway that replaces LiteLLM", () => {
  const config = parseYaml(read("litellm.yaml"));

  it("has the models of config.yaml with their upstreams, in their order and at their prices", async () => {
    const { gateway } = await import("../../examples/mounts/src/from-litellm.ts");
    const targets = targetsOf(gateway.inspect()).map(({ id, upstreamModel, priority, price }) => [
      ...[id, upstreamModel, priority, formatAmount(price.input), formatAmount(price.output)],
    ]);
    const deployments = config.model_list.map(
      ({ model_name: id, litellm_params: params, model_info: info }: Deployment) => [
        ...[id, params.model.split("/")[1], params.order ?? 1],
        ...[info.input_cost_per_token, info.output_cost_per_token].map((cost) =>
          String(Number((cost * 1e6).toFixed(6))),
        ),
      ],
    );
    expect(targets).toEqual(deployments);
  });

  it("retries, waits and skips targets as the router of config.yaml", () => {
    const source = readFileSync("examples/mounts/src/from-litellm.ts", "utf8");
    const { num_retries, timeout, allowed_fails, cooldown_time } = config.router_settings;
    const numbers = ["retries", "totalMs", "threshold", "cooldownMs"].map((name) =>
      Number(new RegExp(`\\b${name}: ([\\d_]+)`).exec(source)?.[1]?.replaceAll("_", "")),
    );
    expect(numbers).toEqual([num_retries, timeout * 1_000, allowed_fails, cooldown_time * 1_000]);
  });

  it("has the key of /key/generate", async () => {
    const { createKey } = await import("../../examples/mounts/src/from-litellm.ts");
    const issued = await createKey("customer-19");
    const wanted = JSON.parse(read("litellm-key.json"));
    const { account, models, limits, spend, createdAt, expiresAt } = issued.key;
    expect({
      user_id: account,
      models,
      rpm_limit: limits?.requests?.limit,
      max_parallel_requests: limits?.concurrency,
      max_budget: Number(formatAmount(spend?.limit ?? 0n)),
      budget_duration: spend?.window === "month" ? "30d" : spend?.window,
      duration: `${Math.round((Number(expiresAt) - Number(createdAt)) / 86_400_000)}d`,
    }).toEqual(wanted);
  });
});

it("the gateway that replaces Portkey has the targets of its config, with their shares", async () => {
  const { gateway } = await import("../../examples/mounts/src/from-portkey.ts");
  const config = JSON.parse(read("portkey.json"));
  const targets = targetsOf(gateway.inspect());
  const all = targets.reduce((sum, { weight }) => sum + weight, 0);
  expect(targets.map(({ upstreamModel, weight }) => [upstreamModel, weight / all])).toEqual(
    config.targets.map(({ override_params, weight }: PortkeyTarget) => [override_params.model, weight]),
  );
  expect(new Set(targets.map(({ priority }) => priority)).size).toBe(1);
  const source = readFileSync("examples/mounts/src/from-portkey.ts", "utf8");
  expect(source).toContain(`retries: ${config.retry.attempts} }`);
  expect(source.replaceAll("_", "")).toContain(`totalMs: ${config.request_timeout} }`);
});

interface Deployment {
  readonly model_name: string;
  readonly litellm_params: { readonly model: string; readonly order?: number };
  readonly model_info: { readonly input_cost_per_token: number; readonly output_cost_per_token: number };
}

interface PortkeyTarget {
  readonly override_params: { readonly model: string };
  readonly weight: number;
}
