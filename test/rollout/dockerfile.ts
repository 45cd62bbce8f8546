import { readFileSync } from "node:fs";

/** The instructions of a Dockerfile that a machine without Docker can follow, by the stage that they are in. */
export interface Stage {
  readonly workdir: string;
  readonly runs: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[] | undefined;
  readonly healthcheck: readonly string[] | undefined;
}

/** Reads the stages of a Dockerfile, whose CMD and HEALTHCHECK are JSON. */
export function readStages(path: string): readonly Stage[] {
  const [, ...stages] = readFileSync(path, "utf8").split(/^FROM .*$/m);
  return stages.map((text) => {
    const all = (instruction: string) =>
      [...text.matchAll(new RegExp(`^${instruction} +(.*)$`, "gm"))].map(([, rest = ""]) => rest);
    const list = (json: string | undefined): string[] | undefined =>
      json === undefined ? undefined : JSON.parse(json);
    return {
      workdir: all("WORKDIR")[0] ?? "/",
      runs: all("RUN"),
      environment: Object.fromEntries(all("ENV").map((pair) => pair.split("=", 2))),
      command: list(all("CMD")[0]),
      healthcheck: list(all("HEALTHCHECK")[0]?.replace(/^.*?CMD /, "")),
    };
  });
}

/** Whether Docker sends a file to the build: the last line of a .dockerignore that matches it or a folder of it decides. */
export function isInContext(dockerignore: string, file: string): boolean {
  const folders = file.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
  let included = true;
  for (const line of dockerignore.split("\n").filter((each) => each !== "" && !each.startsWith("#"))) {
    const pattern = patternOf(line.replace(/^!/, ""));
    if (folders.some((folder) => pattern.test(folder))) included = line.startsWith("!");
  }
  return included;
}

function patternOf(line: string): RegExp {
  const parts = line.split(/(\*\*\/|\*)/).map((part) => {
    if (part === "**/") return "(?:.*/)?";
    return part === "*" ? "[^/]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}
