import type { Mountable } from "@tollgate/core";
import type { BodyReceiver, ClientRequest } from "@tollgate/core/internal";

/**
 * Returns the Mountable with the prefix without its slash as a path of the mount, which some adapters pass as "" and
 * others leave to the URL.
 */
export function acceptBarePrefix(mounted: Mountable, defaultBasePath: string): Mountable {
  return {
    paths: mounted.paths,
    unread: mounted.unread,
    diagnostics: mounted.diagnostics,
    endpoint: (method, path) => mounted.endpoint(method, path === "" ? "/" : path),
    handle: (request) => mounted.handle(isBarePrefix(request, defaultBasePath) ? new RootRequest(request) : request),
    fetch(request, host = {}) {
      const target = { path: host.path, basePath: host.basePath, url: request.url };
      return mounted.fetch(request, isBarePrefix(target, defaultBasePath) ? { ...host, path: "/" } : host);
    },
  };
}

type Target = Pick<ClientRequest, "path" | "url" | "basePath">;

function isBarePrefix({ path, url, basePath }: Target, defaultBasePath: string): boolean {
  if (path !== undefined) return path === "";
  const prefix = basePath ?? defaultBasePath;
  return prefix !== "" && url.replace(/^[a-z]+:\/\/[^/?]*/i, "").replace(/\?.*$/s, "") === prefix;
}

/** A request at the root of the mount. Its members are read only when they are needed, as those of the original. */
class RootRequest implements ClientRequest {
  readonly #request: ClientRequest;
  readonly path = "/";

  constructor(request: ClientRequest) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  get url(): string {
    return this.#request.url;
  }

  get basePath(): string | undefined {
    return this.#request.basePath;
  }

  get clientAddress(): string | undefined {
    return this.#request.clientAddress;
  }

  get parsedBody(): unknown {
    return this.#request.parsedBody;
  }

  get signal(): ClientRequest["signal"] {
    return this.#request.signal;
  }

  get waitUntil(): ClientRequest["waitUntil"] {
    return this.#request.waitUntil;
  }

  header(name: string): string | undefined {
    return this.#request.header(name);
  }

  readBody(maxBytes: number, receiver: BodyReceiver): void {
    this.#request.readBody(maxBytes, receiver);
  }
}
