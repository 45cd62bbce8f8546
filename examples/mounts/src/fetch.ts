import { gateway } from "./gateway.ts";

export default { fetch: (request: Request) => gateway.fetch(request) };
