import { fill, texts } from "../texts.ts";
import type { Operation } from "./operations.ts";

/** The JSON error of the API. */
interface ErrorAnswer {
  readonly error?: { readonly message?: string; readonly code?: string | null; readonly param?: string | null };
}

/** A refusal of the API, or a failure to reach it. `status` is 0 when there was no response. */
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

/** Returns the address of an operation, relative to the page unless its API is elsewhere. */
export function address({ path, base = "api" }: Pick<Operation<unknown>, "path" | "base">, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return `${base}${path}${text === "" ? "" : `?${text}`}`;
}

/** Reads what an operation answers. Rejects with an {@link ApiError}. */
export function read<Answer>(operation: Operation<Answer>, query?: Query, signal?: AbortSignal): Promise<Answer> {
  return request<Answer>(address(operation, query), { signal: signal ?? null });
}

/** Makes a change. Rejects with an {@link ApiError}. */
export function change<Answer, Body>(
  operation: Operation<Answer, Body>,
  body: Body,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return request<Answer>(address(operation), {
    method: operation.method,
    headers: { ...headers, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

async function request<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, { ...init, cache: "no-store" }).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    throw new ApiError(0, texts.messages.noResponse);
  });
  const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
  if (response.ok && response.status === 204) return JSON.parse("null");
  if (response.ok && isJson) return response.json();
  if (response.status === 401 || response.redirected || response.ok) {
    throw new ApiError(401, texts.messages.signedOut);
  }
  const { error }: ErrorAnswer = isJson ? await response.json().catch(() => ({})) : {};
  const message = error?.message ?? fill(texts.messages.failed, { status: response.status });
  throw new ApiError(response.status, message, error);
}
