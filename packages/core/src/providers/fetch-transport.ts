import type { Transport } from "../ports/transport.ts";
export const fetchTransport = (): Transport => async () => {
  throw new Error("none");
};
