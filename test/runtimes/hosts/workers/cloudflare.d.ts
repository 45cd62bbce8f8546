declare module "cloudflare:node" {
  /** Passes the requests of a worker to the server of node:http at this port. */
  export function httpServerHandler(options: { readonly port: number }): object;
}

declare module "cloudflare:workers" {
  import type { Environment } from "./environment.ts";

  export const env: Environment;
}
