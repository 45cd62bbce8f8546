/** For what must happen within a time that a machine may need for the other tests beside it: one of three tries must be in time. */
export const onceInThree = { retry: 2 } as const;
