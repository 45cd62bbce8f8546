/** How much the tests do: `long` in `npm run test:faults`, `short` in every other command. */
export const form: "long" | "short" = process.env["FAULTS"] === "long" ? "long" : "short";
