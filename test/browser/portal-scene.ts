import { createServer } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { type NoticeSettings, portal } from "@tollgate/portal";
import { type Host, listen } from "../http/mounts/mount.ts";
import { memoryStores, type SceneStores, sceneGateway } from "../management/scene.ts";
import { usageRow } from "../management/usage-row.ts";
import { authorize, prefix, storesOf } from "../portal/scene.ts";
import { openPayments } from "./acme-payments.ts";
import { type Browser, launchBrowser, now, openPage, type View, type WatchedPage } from "./browser.ts";

/** A browser and a portal over memory stores, with the router beside it. The account "acme" has keys, usage and a balance. */
export interface PortalScene {
  readonly stores: SceneStores;
  readonly origin: string;
  /** Opens a page of the portal as ann of acme, and waits until everything that it loads is there. */
  open(address: string, view?: View): Promise<WatchedPage>;
  close(): Promise<void>;
}

const wide: View = { width: 1440, scheme: "light" };

/** Starts the browser and the server. */
export async function setPortalScene(): Promise<PortalScene> {
  const stores = memoryStores();
  await fill(stores);
  const gateway = sceneGateway(stores);
  const settings = new Map<string, NoticeSettings>();
  const page = portal({
    gateway,
    stores: storesOf(stores),
    authorize,
    keys: { plan: "prepaid" },
    currency: "EUR",
    routerUrl: "/router/v1",
    paymentsUrl: "/payments",
    signOutUrl: "/logout",
    notices: { find: (account) => settings.get(account), save: (account, to) => void settings.set(account, to) },
  });
  const [router, own] = [nodeHandler(gateway, { prefix: "/router/v1" }), nodeHandler(page, { prefix })];
  const counter = await openPayments(stores, gateway);
  const host: Host = await listen(
    createServer((request, response) => {
      const { url = "" } = request;
      const handle = url.startsWith(prefix) ? own : url.startsWith("/payments") ? counter.handle : router;
      void handle(request, response);
    }),
  );
  const origin = `http://127.0.0.1:${host.port}`;
  const browser: Browser = await launchBrowser();
  return {
    stores,
    origin,
    async open(address, view = wide) {
      const watched = await openPage(browser, view, origin);
      await watched.page.context().addCookies([{ name: "person", value: "ann", url: origin }]);
      await watched.page.goto(`${origin}${prefix}/${address}`);
      await watched.page.locator("h1").waitFor();
      await watched.page.waitForFunction(() => document.querySelector(".skeleton-line, [aria-busy='true']") === null);
      return watched;
    },
    async close() {
      await browser.close();
      await counter.close();
      await host.close();
    },
  };
}

const dayMs = 86_400_000;
const nano = 1_000_000_000n;

async function fill({ keys, balances, usage, terms }: SceneStores): Promise<void> {
  const { key } = await keys.create({ account: "acme", plan: "prepaid", name: "production" });
  await keys.create({
    account: "acme",
    plan: "prepaid",
    name: "staging",
    spend: { limit: 5n * nano, window: "month" },
  });
  await keys.create({ account: "globex", plan: "prepaid", name: "foreign" });
  const expiresAt = new Date(Date.now() + 5 * dayMs);
  await balances.credit({ id: "1", account: "acme", amount: 25n * nano, reason: "Invoice 2026-11" });
  await balances.credit({ id: "2", account: "acme", amount: 5n * nano, reason: "Welcome", kind: "granted", expiresAt });
  await balances.limitSpend("acme", { limit: 100n * nano, window: "month" });
  await terms.accept("acme", "terms-0");
  await usage.record(
    Array.from({ length: 60 }, (_, index) =>
      usageRow({
        id: `request-${index}`,
        requestId: `req_${index}`,
        at: new Date(now - (index % 28) * dayMs),
        keyId: key.id,
        model: index % 3 === 0 ? "org/large" : "plain",
        cost: BigInt(index + 1) * 1_000_000n,
        ...(index % 20 === 7 && { status: 503, ending: "refused", errorCode: "upstream_unavailable" as const }),
      }),
    ),
  );
}
