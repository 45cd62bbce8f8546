/** What the gateway under test sells. */
export const product = { id: "credit-25", cents: 2_500, credit: "25.00", nano: 25_000_000_000n } as const;
