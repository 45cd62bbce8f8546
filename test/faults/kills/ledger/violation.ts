/**
 * A violation of the contract by a store. `lost`: an acknowledged call has no effect. `double`: it took effect twice.
 * `drift`: sums differ. `overdrawn`: more was granted than was available. `neglected`: a hold expired or was not
 * renewed although its worker renewed it. `stuck`: a hold never ended. `unexplained`: a charge has not the receipt of
 * its calls. `wrong`: any other.
 */
export interface Violation {
  readonly kind: "lost" | "double" | "drift" | "overdrawn" | "neglected" | "stuck" | "unexplained" | "wrong";
  readonly problem: string;
}
