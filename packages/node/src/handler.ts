export { directAnswer } from "./direct/index.ts";
export type { MountedRequest, NodeResponder } from "./mounted-request.ts";
export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from "./node-handler.ts";
export { NodeMount, type NodePlace } from "./node-mount.ts";
export { type Edge, type EdgeOptions, isCompletion, nodeResponder } from "./node-responder.ts";
export { type ParserRefusal, parserRefusal } from "./parser-refusal.ts";
export { mountPrefix, pathInside } from "./path-inside.ts";
export { peerAddress } from "./peer-address.ts";
