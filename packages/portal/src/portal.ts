import type { Mountable } from "@tollgate/core";
import { mount, routeTable } from "@tollgate/core/internal";
import { acceptBarePrefix, pageRoutes } from "@tollgate/management/internal";
import { portalTable } from "./operation-table.ts";
import { pageNames } from "./page/load-page.ts";
import { respondWithPage } from "./page/respond-with-page.ts";
import { assemblePortal, type PortalOptions } from "./portal-options.ts";
import { respondAsCustomer } from "./respond-as-customer.ts";

/**
 * Returns the portal of customers as a Mountable, which any adapter mounts at any prefix: the page, and its API below `api/`.
 * Nothing of either is answered without `authorize`, and nothing but the account that it names. Throws a TypeError that lists
 * all problems of the options.
 *
 * @example
 * const page = portal({ gateway, stores, authorize: async (request) => customerOf(await session(request)), keys: { plan: "prepaid" } });
 * app.use("/account", tollgate(page));
 */
export function portal(options: PortalOptions): Mountable {
  const services = assemblePortal(options);
  const { basePath = "" } = options;
  const pages = pageNames.filter((name) => name !== "notices" || services.settings.notices !== null);
  const routes = portalTable.map(({ name, method, path }) => ({ name, method, pattern: `/api${path}` }));
  const answers = portalTable.map((operation) => [operation.name, respondAsCustomer(operation)] as const);
  const mounted = mount(services, {
    basePath,
    cors: undefined,
    routes: routeTable([...pageRoutes(pages), ...routes]),
    handlers: { ...Object.fromEntries(answers), page: respondWithPage },
  });
  return acceptBarePrefix(mounted, basePath);
}
