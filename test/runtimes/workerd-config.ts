import { basename } from "node:path";

/** A worker: the name of its service and socket, the path of its bundle, and whether it uses the Node modules of workerd. */
export interface BundledWorker {
  readonly name: string;
  readonly bundle: string;
  readonly usesNode: boolean;
}

/** workerd has the Node modules by default since 2026-08-04. A worker that must run without them has an older date. */
const dates = { withNode: "2026-11-01", withoutNode: "2026-01-01" };

/**
 * Returns the configuration of workerd, in which each worker has a service and a socket of its name. Its file belongs into
 * the folder of the bundles.
 */
export function workerdConfig(workers: readonly BundledWorker[], bindings: Readonly<Record<string, string>>): string {
  const services = workers.map(({ name }, index) => `(name = "${name}", worker = .worker${index})`);
  const sockets = workers.map(
    ({ name }) => `(name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}")`,
  );
  const texts = Object.entries(bindings).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`);
  const definitions = workers.map(
    ({ bundle, usesNode }, index) => `const worker${index} :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "${basename(bundle)}")],
  compatibilityDate = "${usesNode ? dates.withNode : dates.withoutNode}",
  bindings = [${texts.join(", ")}]
);`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${[...services, '(name = "internet", network = (allow = ["private"]))'].join(", ")}],
  sockets = [${sockets.join(", ")}]
);
${definitions.join("\n")}
`;
}
