import { ServerResponse } from "node:http";

const { end, write } = ServerResponse.prototype;

/** An agent that watches a process puts its own in their place before anything else is loaded, and is to see the body itself. */
const isNodes =
  !("bun" in process.versions || "deno" in process.versions) &&
  write.name === "write" &&
  write.length === 3 &&
  !Object.hasOwn(ServerResponse.prototype, "write") &&
  !Object.hasOwn(ServerResponse.prototype, "end");

/**
 * True for a response of HTTP/1 whose body goes to its socket by Node's own methods, so that it may be written in another
 * way than through them one by one. Hosts wrap them to compress a body, or to keep its end back, as sessions do.
 */
export const writesItself = (res: ServerResponse): boolean => isNodes && res.write === write && res.end === end;
