import { ExportCsv } from "@tollgate/page-kit/design/controls.tsx";
import { Select } from "@tollgate/page-kit/design/fields.tsx";
import { FilterChips } from "@tollgate/page-kit/design/filters.tsx";
import { EmptyState, PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { bucketOf, rangeChoices, rangeQuery, readRange, type TimeRange } from "@tollgate/page-kit/design/time-range.ts";
import { useAddress } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import { useMemo } from "preact/hooks";
import { operation } from "../../api/operations.ts";
import { texts } from "../../texts.ts";
import { CostBars } from "./cost-bars.tsx";
import { GroupTable } from "./group-table.tsx";

const usage = operation("GET", "/usage");
const pollMs = 30_000;
const groups = ["model", "key", "dialect", "end_user"] as const;

/** Cost by time, and the sums by model, key, API or end user. */
export function UsagePage() {
  const at = useAddress();
  const preset = at.query["range"] ?? "30d";
  const range: TimeRange = useMemo(
    () => readRange({ range: preset }, Date.now(), "30d") ?? { from: 0, to: Date.now() },
    [preset],
  );
  const group = groups.find((each) => each === at.query["group"]) ?? "model";
  const filters = { key: at.query["key"], model: at.query["model"], end_user: at.query["end_user"] };
  const bucket = bucketOf(range);
  const query = { ...rangeQuery(range), ...filters };
  const overTime = useResource(usage, { ...query, bucket }, pollMs);
  const summed = { ...query, bucket: "all", group_by: group, top: 100 };
  const isEmpty = overTime.data.value?.data.length === 0;
  return (
    <>
      <PageHeader title={texts.pages.usage} updatedAt={overTime.updatedAt.value}>
        <ExportCsv list={usage} query={summed} name="usage" />
      </PageHeader>
      <div class="toolbar">
        <Select
          label={texts.usage.range}
          value={preset}
          choices={rangeChoices()}
          onChange={(chosen) => at.go({ range: chosen })}
        />
        <Select
          label={texts.usage.group}
          value={group}
          choices={groups.map((each) => [each, texts.usage[each]] as const)}
          onChange={(chosen) => at.go({ group: chosen })}
        />
        <FilterChips
          address={at}
          filters={{ key: texts.usage.key, model: texts.usage.model, end_user: texts.usage.end_user }}
        />
      </div>
      <Problem error={overTime.error.value} retry={overTime.reload} />
      {isEmpty ? (
        <EmptyState title={texts.usage.empty}>{texts.usage.emptyHint}</EmptyState>
      ) : (
        <>
          <CostBars rows={overTime.data.value?.data} range={range} bucket={bucket} />
          <GroupTable query={summed} group={group} at={at} />
        </>
      )}
    </>
  );
}
