/** Where the server listens. */
export const port = Number(process.env["PORT"] ?? 8787);

/** Says what to do when the server cannot listen. */
export function failToListen(cause: Error): never {
  throw new Error(`Port ${port} cannot be used. Free it, or set another one as PORT.`, { cause });
}
