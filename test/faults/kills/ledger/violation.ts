/**
 * Something that a store may not do. `lost`: what was acknowledged is not there. `double`: it took effect twice.
 * `drift`: sums that should agree do not. `overdrawn`: more was granted than there was. `neglected`: a hold expired, or
 * was not renewed, though its worker kept it alive. `stuck`: a hold never ended. `wrong`: any other.
 */
export interface Violation {
  readonly kind: "lost" | "double" | "drift" | "overdrawn" | "neglected" | "stuck" | "wrong";
  readonly problem: string;
}
