export {
  type Account,
  type Books,
  expectCharges,
  expectFairCharges,
  fairBounds,
  openAccount,
  plenty,
  readBooks,
  requireFair,
  type WithAccounts,
} from "./account.ts";
export { type AbleContext, type Case, type Context, defineCase, type NewCase } from "./case.ts";
export { cases } from "./cases/index.ts";
export { type Bounds, requireEqual, requireTrue, requireWithin } from "./check.ts";
export type { Answer, Ask, Client, Running } from "./client/client.ts";
export { runCommand } from "./command.ts";
export {
  type Abilities,
  type Ability,
  type Accounts,
  type Balance,
  type Driver,
  type Entry,
  features,
  type Gateway,
  type Key,
  type KeyChanges,
  type NewKey,
  type SuitePlan,
  type World,
} from "./driver.ts";
export {
  type Api,
  asDecimal,
  asNano,
  costOf,
  type ModelPrices,
  models,
  perMillion,
  type SuiteModel,
  type TokenRates,
  type Tokens,
} from "./models.ts";
export type { Patience } from "./patience.ts";
export {
  type Forgery,
  forgeries,
  type Notification,
  type PaymentNews,
  type Payments,
  type Purchase,
} from "./payments.ts";
export { type Played, type Provider, startProvider } from "./provider/provider.ts";
export type { Asked, Delivery, Moment, Script, UsagePlace } from "./provider/script.ts";
export { type Counts, countOutcomes, failureLine, markdownOf, summaryLines } from "./report.ts";
export { type CaseResult, type Outcome, runSuite, type SuiteOptions, type SuiteResult } from "./run-suite.ts";
