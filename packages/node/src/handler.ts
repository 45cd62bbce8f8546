export { carryHeaders } from "./carry-headers.ts";
export { directAnswer } from "./direct/index.ts";
export { isMediaType } from "./media-type.ts";
export {
  hostContext,
  type MountedRequest,
  matchedPath,
  mountPrefix,
  NodeMount,
  type NodeResponder,
  type ParserRefusal,
  type PathInMount,
  pathBelow,
  pathInside,
  watchWaiting,
} from "./mounted-request.ts";
export {
  type Edge,
  type EdgeOptions,
  isModelCall,
  type NodeHandler,
  type NodeHandlerOptions,
  nodeHandler,
  nodeResponder,
} from "./node-handler.ts";
export { type NodePair, nodePairIn } from "./node-pair.ts";
export { parserRefusal } from "./parser-refusal.ts";
export { peerAddress } from "./peer-address.ts";
export { isMountable, requireMountable } from "./require-mountable.ts";
