import type {
  AnswerOf,
  BodyOf,
  HeadOf,
  ItemOf,
  ListOperation,
  Operation as ManagementOperation,
  ReportOperation,
} from "@tollgate/management/operations";

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A value of an answer, which nothing changes. What no schema describes is any JSON. */
type Shown<T> = unknown extends T
  ? Json
  : T extends readonly (infer Item)[]
    ? readonly Shown<Item>[]
    : T extends object
      ? keyof T extends never
        ? Json
        : { readonly [Name in keyof T]: Shown<T[Name]> }
      : T;

/** One page of a list; `next` is null on the last page. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly next: string | null;
}

type Method = ManagementOperation["method"];

/** The operations of an API, as a union. */
type Table = Pick<ManagementOperation, "method" | "path">;
type PathOf<Each extends Table, M extends Method> = Extract<Each, { readonly method: M }>["path"];
type At<Each extends Table, M extends Method, P extends string> = Extract<
  Each,
  { readonly method: M; readonly path: P }
>;

/** An operation of an API by its method and path, such as "GET /accounts/:id". */
export type RouteOf<Each extends Table> = Each extends Table ? `${Each["method"]} ${Each["path"]}` : never;

/** What an operation of an API answers. */
export type AnswerIn<Each extends Table, M extends Method, P extends string> = Answered<At<Each, M, P>>;
type Answered<Each> =
  Each extends Pick<ReportOperation, "head" | "item">
    ? Shown<HeadOf<Each>> & { readonly data: readonly Shown<ItemOf<Each>>[] }
    : Each extends Pick<ListOperation, "position" | "item">
      ? Page<Shown<ItemOf<Each>>>
      : Each extends Pick<ManagementOperation, "answer">
        ? Shown<AnswerOf<Each>>
        : never;

/** The body that an operation of an API takes. Undefined: none. */
export type BodyIn<Each extends Table, M extends Method, P extends string> = Taken<At<Each, M, P>>;
type Taken<Each> = Each extends Pick<ManagementOperation, "body"> ? Shown<BodyOf<Each>> : undefined;

/** The part of a path that is the id of an object, if it has one. */
type IdIn<P extends string> = P extends `${string}/${":id" | "*"}${string}` ? readonly [id: string] : readonly [];

/** An operation with the id in its path. */
export interface Operation<Answer, Body = undefined> {
  readonly method: Method;
  readonly path: string;
  /** Where its API is mounted: a path, a URL, or an address relative to the page. Absent: "api". */
  readonly base?: string;
  /** Only for types. */
  readonly types?: { readonly answer: Answer; readonly body: Body };
}

/** Names the operations of an API, with the id of the object that a path has: `operation("GET", "/keys/:id", id)`. */
export type Operations<Each extends Table> = <M extends Method, P extends PathOf<Each, M>>(
  method: M,
  path: P,
  ...id: IdIn<P>
) => Operation<AnswerIn<Each, M, P>, BodyIn<Each, M, P>>;

/** Returns the function that names the operations of an API. */
export const operationsOf =
  <Each extends Table>(): Operations<Each> =>
  (method, path, ...[id = ""]) => ({ method, path: path.replace(/:id|\*$/, () => encodeURIComponent(id)) });
