/** The extent of the tests: `long` in `npm run test:all -- faults --long`, `short` in every other command. */
export const form: "long" | "short" = process.env["FAULTS"] === "long" ? "long" : "short";
