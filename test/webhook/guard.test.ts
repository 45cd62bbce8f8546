import { networkInterfaces } from "node:os";
import { type WebhookLookup, webhookRunner } from "@tollgate/node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openTarget } from "./open-target.ts";
import { runCall, textOf } from "./run-call.ts";

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));
const globalAddress = "2606:4700::1111";
const blocked = { kind: "failed", failure: "blocked_target", certainty: "not_sent" };

afterEach(() => vi.unstubAllEnvs());

describe("an address in a URL", () => {
  it.each([
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "127。0。0。1",
    "127.0.0.1",
    "①②⑦.0.0.1",
    "0",
    "10.0.0.1",
    "169.254.169.254",
    "0xa9fea9fe",
    "168.63.129.16",
    "100.100.100.200",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:7f00:0001]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[2001::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[2a00::5efe:7f00:1]",
  ])("as in http://%s/ is blocked before any connection and without the resolver", async (host) => {
    const lookup = vi.fn<WebhookLookup>(async () => [globalAddress]);
    const runner = webhookRunner({ allowHttp: true, lookup });
    expect(await runCall(runner, `http://${host}/`, { method: "POST" })).toMatchObject(blocked);
    expect(await runner.checkTarget(`https://${host}/`)).toMatchObject({ allowed: false });
    expect(lookup).not.toHaveBeenCalled();
  });

  it("is allowed if it is global", async () => {
    const runner = webhookRunner();
    for (const host of ["8.8.8.8", "[::ffff:8.8.8.8]", `[${globalAddress}]`, "0x08080808"]) {
      expect(await runner.checkTarget(`https://${host}/`)).toEqual({ allowed: true });
    }
  });
});

describe("a name", () => {
  it.each([
    ["private", ["10.0.0.1"]],
    ["loopback", ["127.0.0.1"]],
    ["metadata", ["169.254.169.254"]],
    ["private among global ones", [globalAddress, "8.8.8.8", "192.168.0.1"]],
    ["mapped", ["::ffff:10.0.0.1"]],
    ["with a zone", ["fe80::1%lo"]],
    ["not an address", ["0x7f.1"]],
  ])("with an address that is %s is blocked", async (_what, addresses) => {
    const runner = webhookRunner({ lookup: async () => addresses });
    expect(await runCall(runner, "https://example.com/")).toMatchObject(blocked);
    expect(await runner.checkTarget("https://example.com/")).toMatchObject({ allowed: false });
  });

  it("is allowed if all its addresses are global", async () => {
    const runner = webhookRunner({ lookup: async () => [globalAddress, "8.8.8.8"] });
    expect(await runner.checkTarget("https://example.com./")).toEqual({ allowed: true });
  });

  it("that resolves to a private address after it was checked is blocked", async () => {
    const answers = [[globalAddress], ["127.0.0.1"]];
    const lookup: WebhookLookup = async () => answers.shift() ?? [];
    const runner = webhookRunner({ allowHttp: true, lookup });
    expect(await runner.checkTarget("http://rebind.test/")).toEqual({ allowed: true });
    expect(await runCall(runner, "http://rebind.test/", { method: "POST" })).toMatchObject(blocked);
  });

  it("is resolved once, and the checked address is the one that is dialled", async () => {
    const port = await openTarget((request, response) => response.end(request.headers.host));
    const answers = [["127.0.0.1"], ["169.254.169.254"]];
    const lookup = vi.fn<WebhookLookup>(async () => answers.shift() ?? []);
    const runner = webhookRunner({ allowedTargets: [`rebind.test:${port}`], lookup });
    expect(textOf(await runCall(runner, `http://rebind.test:${port}/`))).toBe(`rebind.test:${port}`);
    expect(lookup.mock.calls).toEqual([["rebind.test"]]);
    expect(await runCall(runner, `http://rebind.test:${port}/`)).toMatchObject(blocked);
  });

  it("without an address is a DNS error", async () => {
    const failure = Object.assign(new Error("nothing"), { code: "ENOTFOUND" });
    const none = webhookRunner({ lookup: async () => [] });
    const broken = webhookRunner({ lookup: () => Promise.reject(failure) });
    for (const runner of [none, broken]) {
      const result = await runCall(runner, "https://nowhere.invalid/", { method: "POST" });
      expect(result).toMatchObject({ failure: "dns_error", certainty: "not_sent" });
      expect(result.attempts).toHaveLength(2);
    }
  });

  it("whose resolver hangs fails at the timeout", async () => {
    const runner = webhookRunner({ lookup: () => new Promise(() => undefined), connectMs: 50 });
    const result = await runCall(runner, "https://example.com/", { timeoutMs: 100 });
    expect(result).toMatchObject({ failure: "timeout", certainty: "not_sent" });
    expect(await runner.checkTarget("https://example.com/")).toMatchObject({ allowed: false });
  });

  it("is tried at its other addresses if the first refuses the connection", async () => {
    const port = await openTarget((_, response) => response.end("here"));
    const lookup = async () => ["127.0.0.2", "127.0.0.1"];
    const runner = webhookRunner({ allowedTargets: [`both.test:${port}`], lookup });
    expect(textOf(await runCall(runner, `http://both.test:${port}/`))).toBe("here");
  });
});

describe("an allowed target", () => {
  it("allows only that host and port", async () => {
    const port = await openTarget((_, response) => response.end("here"));
    const other = await openTarget((_, response) => response.end("there"));
    const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
    for (const host of ["127.0.0.1", "0x7f.1", "127.0.0.1."]) {
      expect(textOf(await runCall(runner, `http://${host}:${port}/`))).toBe("here");
    }
    for (const host of [`127.0.0.1:${other}`, `127.0.0.2:${port}`, `[::ffff:127.0.0.1]:${port}`, `localhost:${port}`]) {
      expect(await runCall(runner, `http://${host}/`)).toMatchObject(blocked);
    }
  });

  it("may be a name, with or without a trailing dot, or IPv6", async () => {
    const port = await openTarget((_, response) => response.end("here"));
    const allowedTargets = [`billing.internal:${port}`, `[::1]:${port}`];
    const runner = webhookRunner({ allowedTargets, lookup: async () => ["127.0.0.1"] });
    expect(textOf(await runCall(runner, `http://BILLING.internal.:${port}/`))).toBe("here");
    expect(await runner.checkTarget(`http://[0::1]:${port}/`)).toEqual({ allowed: true });
  });

  it("may be IPv6 in any notation", async () => {
    const port = await openTarget(
      (request, response) => response.end(request.headers.host),
      hasIpv6 ? "::1" : "127.0.0.1",
    );
    const runner = webhookRunner({
      allowedTargets: [`[::1]:${port}`, `six.test:${port}`],
      lookup: async () => ["0:0::1"],
    });
    for (const host of ["[::1]", "[0:0:0:0:0:0:0:1]", "[::0.0.0.1]", "six.test"]) {
      const result = await runCall(runner, `http://${host}:${port}/`);
      // Without IPv6 on this machine, the test checks only that a connection was attempted.
      if (!hasIpv6) expect(result).toMatchObject({ failure: "connect_error" });
      else expect(textOf(result)).toBe(host === "six.test" ? `six.test:${port}` : `[::1]:${port}`);
    }
  });

  it.each(["169.254.169.254", "169.254.0.1", "fe80::1", "::ffff:a9fe:a9fe", "64:ff9b::a9fe:a9fe", "0.0.0.0", "::"])(
    "does not allow a name that resolves to %s",
    async (address) => {
      const runner = webhookRunner({ allowedTargets: ["metadata.test:80"], lookup: async () => [address] });
      expect(await runCall(runner, "http://metadata.test/")).toMatchObject(blocked);
    },
  );

  it.each([
    "169.254.169.254:80",
    "[fd00:ec2::254]:80",
    "168.63.129.16:80",
    "billing.internal",
    "billing.internal:0",
    "billing.internal:65536",
    "http://billing.internal:80",
    "a@billing.internal:80",
    "*.internal:80",
    "",
    "a..b:80",
    "a b:80",
  ])("cannot be %j", (entry) => {
    expect(() => webhookRunner({ allowedTargets: [entry] })).toThrow(/Write it as|can never be allowed/);
  });
});

describe("a URL", () => {
  it.each([
    ["over http", "http://example.com/"],
    ["with a user", "https://user@example.com/"],
    ["with a password", "https://:secret@example.com/"],
    ["with another port", "https://example.com:8443/"],
    ["of a database", "https://example.com:6379/"],
    ["with an empty label", "https://example.com../"],
    ["of another scheme", "ftp://example.com/"],
    ["of a socket", "http+unix://%2Frun%2Fdocker.sock/"],
  ])("%s is blocked without calling the resolver", async (_what, url) => {
    const lookup = vi.fn<WebhookLookup>(async () => [globalAddress]);
    const result = await runCall(webhookRunner({ lookup }), url);
    expect(result).toMatchObject(blocked);
    expect(lookup).not.toHaveBeenCalled();
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  it.each(["http://example.com/", "http://example.com:443/", "https://example.com:80/"])(
    "such as %s is allowed with allowHttp",
    async (url) => {
      const runner = webhookRunner({ allowHttp: true, lookup: async () => [globalAddress] });
      expect(await runner.checkTarget(url)).toEqual({ allowed: true });
    },
  );
});

describe("a runner", () => {
  it("uses no proxy of the environment", async () => {
    const proxied = vi.fn();
    const proxy = await openTarget((_, response) => response.end(String(proxied())));
    const port = await openTarget((_, response) => response.end("here"));
    for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"]) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy}`);
    }
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
    expect(textOf(await runCall(runner, `http://127.0.0.1:${port}/`))).toBe("here");
    expect(proxied).not.toHaveBeenCalled();
  });

  it("shares no connection with another call, even if the target keeps it open", async () => {
    const ports = new Set<number | undefined>();
    const port = await openTarget((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, { connection: "keep-alive" }).end();
    });
    const open = () => webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
    const runner = open();
    for (const each of [runner, runner, open()]) await runCall(each, `http://127.0.0.1:${port}/`);
    expect(ports.size).toBe(3);
  });

  it("copies the list of the host", async () => {
    const allowedTargets: string[] = [];
    const runner = webhookRunner({ allowedTargets });
    allowedTargets.push("127.0.0.1:9999");
    expect(await runner.checkTarget("http://127.0.0.1:9999/")).toMatchObject({ allowed: false });
  });

  it.each([{ maxResponseBytes: 0 }, { connectMs: Number.NaN }, { connectMs: 1.5 }])("rejects %j", (options) => {
    expect(() => webhookRunner(options)).toThrow("must be a whole number");
  });
});
