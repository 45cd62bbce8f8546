export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from "./node-handler.ts";
export type { MountedRequest } from "./node-request.ts";
export { answerNode, type NodeResponder, nodeResponder } from "./node-responder.ts";
export { type ParserRefusal, parserRefusal } from "./parser-refusal.ts";
export { mountPrefix, pathInside } from "./path-inside.ts";
export { peerAddress } from "./peer-address.ts";
