export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from "./node-handler.ts";
export { type MountedRequest, type NodeFetch, type NodeResponder, nodeFetch, nodeResponder } from "./node-responder.ts";
export { pathInside } from "./path-inside.ts";
