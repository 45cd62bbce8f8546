import { gateway } from "../../shop/src/gateway.ts";

export default { fetch: (request: Request) => gateway.fetch(request) };
