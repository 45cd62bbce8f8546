/** The JSON error of the management API. */
interface ErrorAnswer {
  readonly error?: { readonly message?: string; readonly code?: string | null; readonly param?: string | null };
}

/** A refusal of the management API, or a failure to reach it. `status` is 0 when there was no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(status: number, message: string, { code, param }: { code?: string | null; param?: string | null } = {}) {
    super(message);
    this.status = status;
    this.code = code ?? undefined;
    this.param = param ?? undefined;
  }
}

/** Query parameters. Absent and empty ones are not sent. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Returns the relative address of an endpoint of the management API. */
export function address(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return `api/${path}${text === "" ? "" : `?${text}`}`;
}

/** Reads a resource. Rejects with an {@link ApiError}. */
export function read<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return request<T>(address(path, query), { signal: signal ?? null });
}

/** Makes a change. Rejects with an {@link ApiError}. */
export function change<T>(
  method: "POST" | "PATCH" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  return request<T>(address(path), {
    method,
    headers: { ...headers, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

async function request<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, { ...init, cache: "no-store" }).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    throw new ApiError(0, "The gateway did not respond. Check your connection and try again.");
  });
  const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
  if (response.ok && response.status === 204) return JSON.parse("null");
  if (response.ok && isJson) return response.json();
  if (response.status === 401 || response.redirected || response.ok) {
    throw new ApiError(401, "You are signed out. Reload the page to sign in again.");
  }
  const { error }: ErrorAnswer = isJson ? await response.json().catch(() => ({})) : {};
  const message = error?.message ?? `The gateway responded with status ${response.status}. Try again.`;
  throw new ApiError(response.status, message, error);
}
