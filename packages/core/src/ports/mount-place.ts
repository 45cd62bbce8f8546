/** A request that the host answered with 404. */
export interface MissedRequest {
  readonly method: string;
  /** The URL, or its path and query, as the client sent it. */
  readonly url: string;
  /** Returns a header by its lower-case name; undefined if it is absent. */
  header(name: string): unknown;
}

/** Where a host has mounted a Mountable. Adapters use it, so that a wrong mount is explained on the console. */
export interface MountPlace {
  /**
   * Describes the mount for warnings. `line` returns the code that mounts the Mountable at a prefix: `name` is the variable,
   * such as "gateway.sessions". `at` is the prefix at which it is mounted now; absent if the adapter does not know it.
   */
  describe(line: (prefix: string, name: string) => string, at?: string): void;
  /**
   * Reports that the host answered a request with 404. If it has a key and was for an endpoint that no request has reached
   * yet, prints once with `console.warn` which code would mount the endpoint there. On Node, responses of node:http are
   * reported without this method.
   */
  missed(request: MissedRequest): void;
  /** Prints a text with `console.warn`, once. */
  warn(text: string): void;
}
