/** The extent of the tests: `long` in `npm run test:faults`, `short` in every other command. */
export const form: "long" | "short" = process.env["FAULTS"] === "long" ? "long" : "short";
