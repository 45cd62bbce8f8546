import type { Json } from "@tollgate/core/store";
import * as v from "valibot";
import type { OperationContext } from "./context.ts";
import type { OperationCall, OperationHead, QueryOf, Route } from "./operation.ts";

/** A call for one page of a list. */
interface PageCall<Query, Position> extends Omit<OperationCall<Query, undefined>, "body"> {
  readonly limit: number;
  /** Undefined: the first page. */
  readonly after: Position | undefined;
}

/** An operation that answers a list in pages. */
export interface ListOperation<
  Query extends v.ObjectEntries = v.ObjectEntries,
  Item extends v.GenericSchema = v.GenericSchema,
  Position = unknown,
  Context extends OperationContext = OperationContext,
> extends OperationHead {
  /** The filters. */
  readonly query: Query;
  readonly item: Item;
  /** The schema of a position as JSON. */
  readonly position: v.GenericSchema<unknown, Position>;
  /** True: `format` selects CSV or JSON Lines, with all pages. */
  readonly exported: boolean;
  /** Reads one page, and the position after it as JSON; `next` is undefined on the last page. */
  page(
    context: Context,
    call: PageCall<QueryOf<Query>, Position>,
  ): Promise<{ readonly data: readonly v.InferInput<Item>[]; readonly next: Json | undefined }>;
}

/** An item of a list or a row of a report, as JSON. */
export type ItemOf<Of extends Pick<ListOperation, "item">> = v.InferInput<Of["item"]>;

/** Defines an operation that answers a list in pages. */
export const defineList = <
  Path extends string,
  Query extends v.ObjectEntries,
  Item extends v.GenericSchema,
  Position,
  Context extends OperationContext = OperationContext,
>(
  definition: Omit<ListOperation<Query, Item, Position, Context>, "method"> & Pick<Route<"GET", Path>, "path">,
): ListOperation<Query, Item, Position, Context> & Route<"GET", Path> => ({ ...definition, method: "GET" });

/** Reads the pages of a list one after another, each when it is wanted. */
export async function* pagesOf<
  Query extends v.ObjectEntries,
  Item extends v.GenericSchema,
  Position,
  Context extends OperationContext,
>(
  list: ListOperation<Query, Item, Position, Context>,
  context: Context,
  call: PageCall<QueryOf<Query>, Position>,
): AsyncGenerator<readonly v.InferInput<Item>[], undefined> {
  let page = await list.page(context, call);
  yield page.data;
  while (page.next !== undefined) {
    page = await list.page(context, { ...call, after: v.parse(list.position, page.next) });
    yield page.data;
  }
  return undefined;
}

/** An operation that answers rows with a head, such as the period which they sum up. */
export interface ReportOperation<
  Query extends v.ObjectEntries = v.ObjectEntries,
  Head extends v.ObjectEntries = v.ObjectEntries,
  Item extends v.GenericSchema = v.GenericSchema,
> extends OperationHead {
  readonly query: Query;
  /** The members of the answer before its rows. */
  readonly head: Head;
  readonly item: Item;
  /** Reads all rows. There can be tens of thousands, which are shown in pages. */
  report(
    context: OperationContext,
    call: Omit<OperationCall<QueryOf<Query>, undefined>, "body">,
  ): Promise<{
    readonly head: HeadOf<{ readonly head: Head }>;
    readonly pages: AsyncGenerator<readonly v.InferInput<Item>[], undefined>;
  }>;
}

/** Defines an operation that answers rows with a head. */
export const defineReport = <
  Path extends string,
  Query extends v.ObjectEntries,
  Head extends v.ObjectEntries,
  Item extends v.GenericSchema,
>(
  definition: Omit<ReportOperation<Query, Head, Item>, "method"> & Pick<Route<"GET", Path>, "path">,
): ReportOperation<Query, Head, Item> & Route<"GET", Path> => ({ ...definition, method: "GET" });

/** The members of a report before its rows, as JSON. */
export type HeadOf<Of extends Pick<ReportOperation, "head">> = v.InferInput<
  v.StrictObjectSchema<Of["head"], undefined>
>;

/** A position that is a text, such as the id of the last item. */
export const textPosition = v.string();

/** A position that is a whole number. */
export const numberPosition = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A position that is a bigint, written as text. */
export const sequencePosition = v.pipe(
  v.string(),
  v.regex(/^\d{1,19}$/),
  v.transform((digits) => BigInt(digits)),
);

/** A position that is a time and an id. */
export const timePosition = v.pipe(
  v.tuple([v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8.64e15)), v.string()]),
  v.transform(([at, id]) => ({ at: new Date(at), id })),
);

/** A position that is two texts. */
export const pairPosition = v.tuple([v.string(), v.string()]);
