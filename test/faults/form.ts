/** How much the fault tests do: `long` in `npm run test:faults`, `short` in `npm test`. */
export const form: "long" | "short" = process.env["FAULTS"] === "long" ? "long" : "short";
