/** Returns an amount of nano-units in units of the currency, as the nearest number. */
export const amountOf = (nanoUnits: bigint): number => Number(nanoUnits) / 1e9;
