import { builtin, type NodeDestination, type NodeReadableClass, type NodeReadableOptions } from "../wire/platform.ts";

const Readable = builtin("node:stream")?.Readable;

/**
 * Node's Readable, which @whatwg-node accepts as the body of a Response; undefined on a runtime without one. When it
 * fails, it destroys the stream that it is piped to.
 */
export const nodeReadable: NodeReadableClass | undefined = Readable && breakOffTogether(Readable);

/** By default, Node leaves the destination open, and an error event without a listener ends the process. */
function breakOffTogether(Readable: NodeReadableClass): NodeReadableClass {
  return class extends Readable {
    constructor(options: NodeReadableOptions) {
      super(options);
      this.on("error", () => undefined);
    }

    override pipe(destination: NodeDestination, options?: object): NodeDestination {
      this.on("error", () => destination.destroy());
      return super.pipe(destination, options);
    }
  };
}
