import type { ApiError } from "../api/client.ts";

/** A failure with what to do about it. */
export function Problem({ error, retry }: { readonly error: ApiError | undefined; readonly retry?: () => unknown }) {
  if (error === undefined) return null;
  return (
    <div class="problem" role="alert">
      <span>{error.message}</span>
      {error.status === 401 ? (
        <button type="button" class="button" onClick={() => window.location.reload()}>
          Reload
        </button>
      ) : (
        retry !== undefined && (
          <button type="button" class="button" onClick={() => void retry()}>
            Try again
          </button>
        )
      )}
    </div>
  );
}
