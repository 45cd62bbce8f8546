export { priceDate, priceOf, pricesOf } from "./published-prices.ts";
