import { Writable } from "node:stream";
import type { AssistantOptions } from "@tollgate/assistants";
import { assistants } from "@tollgate/assistants";
import {
  createGateway,
  errorTable,
  type GatewayOptions,
  memoryBalanceStore,
  memoryKeyStore,
  memorySessionStore,
} from "@tollgate/core";
import { webhookRunner } from "@tollgate/node";
import { describe, expect, it } from "vitest";
import { shoutingProvider } from "../../examples/mounts/src/own-provider.ts";
import { assembleAssistants } from "../../packages/assistants/src/config/assemble-assistants.ts";
import { assistantSchema } from "../../packages/assistants/src/config/assistant-schema.ts";
import { assistantsSchema } from "../../packages/assistants/src/config/assistants-schema.ts";
import { optionsSchema } from "../../packages/browser-tokens/src/browser-token-options.ts";
import { makeProgram } from "../../packages/cli/src/program.ts";
import { assembleServices } from "../../packages/core/src/assemble-services.ts";
import { checkOptions } from "../../packages/core/src/check-options.ts";
import { extensionHost } from "../../packages/core/src/extensions/extension-host.ts";
import { gatewaySchema } from "../../packages/core/src/gateway-schema.ts";
import { eventFields } from "./event-fields.ts";
import { codeIn, readPage, rowsOf, sectionOf } from "./markdown.ts";
import { optionNames } from "./option-names.ts";

const minimalOptions = (): GatewayOptions => ({
  keys: memoryKeyStore(),
  balances: memoryBalanceStore(),
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models: [{ id: "m", maxOutputTokens: 1, price: "free", targets: [{ provider: shoutingProvider(), model: "m" }] }],
});
const noAssistants: AssistantOptions = { list: [], sessions: memorySessionStore(), runner: webhookRunner() };

const firstCodes = (text: string) => rowsOf(text).map(([cell]) => codeIn(cell));

describe("docs/reference/options.md", () => {
  const [gateway = "", configuration = ""] = readPage("docs/reference/options.md").split("## Assistant configuration");

  it("has each option of createGateway once, and no other", () => {
    const names = [
      ...optionNames(gatewaySchema),
      ...optionNames(assistantsSchema).map((name) => `assistants.${name}`),
      ...optionNames(optionsSchema).map((name) => `browserTokens.${name}`),
    ];
    expect(firstCodes(gateway).toSorted()).toEqual([...names].toSorted());
    expect(names).toEqual(expect.arrayContaining(["models[].price.cacheWrite1h", "money.leaseMs", "cors.origins"]));
  });

  it("has each member of an assistant once, and no other", () => {
    expect(firstCodes(configuration).toSorted()).toEqual([...optionNames(assistantSchema)].toSorted());
  });

  it("has the defaults of the code, as far as they are numbers or words", () => {
    const options = { ...minimalOptions(), extensions: [assistants(noAssistants)] };
    const services = assembleServices(checkOptions(options));
    const { routing, streams, bodies, money, storeTimeoutMs, maxBodyBytes } = services;
    const ofAssistants = assembleAssistants(extensionHost(services, undefined), noAssistants);
    const { turns, sessionTtlMs, maxFormBytes } = ofAssistants;
    const assistantDefaults = { turns, sessionTtlMs, maxFormBytes };
    const defaults = leavesOf({
      routing,
      streams,
      bodies,
      money,
      assistants: assistantDefaults,
      storeTimeoutMs,
      maxBodyBytes,
    });
    const documented = new Map(rowsOf(gateway).map(([name, , value = ""]) => [codeIn(name), value]));
    const derived = { "money.heartbeatMs": "a quarter of `leaseMs`" };
    for (const [name, value] of Object.entries({ ...defaults, ...derived }))
      expect([name, documented.get(name)]).toEqual([name, value]);
    expect(Object.keys(defaults).length).toBeGreaterThan(30);
  });

  /** `{ money: { leaseMs: 60_000 } }` as `{ "money.leaseMs": "60,000" }`. */
  const leavesOf = (value: object, prefix = ""): Record<string, string> =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, member]: [string, unknown]): [string, string][] => {
        if (typeof member === "object" && member !== null) return Object.entries(leavesOf(member, `${prefix}${name}.`));
        return [[prefix + name, typeof member === "number" ? member.toLocaleString("en") : `\`"${member}"\``]];
      }),
    );

  it("has a type, a default and a meaning for each", () => {
    expect(rowsOf(gateway + configuration).filter((cells) => cells.length !== 4 || cells.includes(""))).toEqual([]);
  });
});

describe("docs/reference/errors.md", () => {
  it("has each code with its status and type, and no other", () => {
    const rows = rowsOf(readPage("docs/reference/errors.md"));
    const documented = rows.map(([code, status, type]) => [codeIn(code), Number(status), codeIn(type)]);
    expect(documented).toEqual(Object.entries(errorTable).map(([code, { status, type }]) => [code, status, type]));
  });
});

describe("docs/reference/events.md", () => {
  it("has each event with its fields, and no other", () => {
    const page = readPage("docs/reference/events.md");
    const headings = [...page.matchAll(/^## `(.*)`$/gm)].map(([, type = ""]) => type);
    const documented = headings.map((type) => [type, fieldsIn(sectionOf(page, `## \`${type}\``))]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(eventFields()));
    expect(new Set(headings).size).toBe(headings.length);
  });

  const fieldsIn = (section: string) =>
    rowsOf(section)
      .map(([name, type = ""]) => `${codeIn(name)}${type.endsWith(", optional") ? "?" : ""}`)
      .toSorted();
});

describe("docs/reference/http.md", () => {
  const page = readPage("docs/reference/http.md");
  const gateway = createGateway({ ...minimalOptions(), extensions: [assistants(noAssistants)] });
  const documented = [...page.matchAll(/^\| `(GET|POST|PUT|DELETE) (?:\{prefix\})?(\S+)`/gm)].map(
    ([, method = "", path = ""]) => `${method} ${path}`,
  );

  it("has each endpoint, and no other", () => {
    const endpoints = [gateway, gateway.sessions].flatMap((mounted) =>
      mounted.paths
        .filter(isMainPath)
        .flatMap((path) =>
          ["GET", "POST", "PUT", "DELETE"]
            .filter((method) => typeof mounted.endpoint(method, path) === "string")
            .map((method) => `${method} ${path.replace(/:id|\*/, "{id}")}`),
        ),
    );
    expect(documented.toSorted()).toEqual(endpoints.toSorted());
  });

  it("has each header that a page of another origin may read", async () => {
    const { exposedHeaders } = await import("../../packages/core/src/http/cors.ts");
    const table = sectionOf(page, "### Response headers");
    const common = ["allow", "location", "www-authenticate"];
    expect(exposedHeaders.filter((name) => !table.includes(`\`${name}\``))).toEqual(common);
  });
});

describe("docs/reference/cli.md", () => {
  it("has each command with its arguments and options, and no other", () => {
    const nowhere = Object.assign(new Writable(), { columns: 80 });
    const program = makeProgram({ out: nowhere, err: nowhere, cwd: "." }, async () => undefined);
    const commands = program
      .createHelp()
      .visibleCommands(program)
      .flatMap((group) =>
        (group.commands.length > 0 ? group.commands : [group]).map((command) => {
          const name = command === group ? group.name() : `${group.name()} ${command.name()}`;
          const parameters = command.registeredArguments.map((argument) => ` <${argument.name()}>`).join("");
          return [name + parameters, command.options.map(({ long }) => long)];
        }),
      )
      .filter(([name]) => name !== "help [command]" && name !== "help <command>");
    const rows = rowsOf(sectionOf(readPage("docs/reference/cli.md"), "## Commands"));
    const documented = rows.map(([name, options = ""]) => [codeIn(name), options.match(/--[a-z-]+/g) ?? []]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(commands));
  });
});

/** Each endpoint is served below "/v1" too, which is not described again. */
function isMainPath(path: string): boolean {
  return !path.startsWith("/v1/");
}
