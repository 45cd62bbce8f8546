import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

interface ChartProps {
  readonly data: ChartData;
  readonly label: string;
  readonly valueText: (value: number) => string;
  readonly onHover: (index: number | undefined) => void;
  /** Gets the selected period in seconds. */
  readonly onZoom: (from: number, to: number) => void;
}

const height = 280;

/** A chart over time. Arrow keys move its cursor, and dragging selects a period. */
export function Chart(props: ChartProps) {
  const { data, label } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(plotOptions(element, props), plotted(data), element);
    };
    draw();
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener("change", draw);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [data]);
  return (
    <div
      ref={place}
      class="chart"
      {...cursorKeys(label, (step) => plot.current !== undefined && moveCursor(plot.current, step))}
    />
  );
}

/** The attributes of an image with a tab stop, in which the left and right arrow keys move a cursor. */
const cursorKeys = (label: string, move: (step: number) => unknown) => ({
  role: "img" as const,
  "aria-label": label,
  tabIndex: 0,
  onKeyDown: (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    move(step);
  },
});

function plotted({ middles, series, stacked }: ChartData): uPlot.AlignedData {
  const values = stacked ? stack(series).toReversed() : series.map((each) => [...each.values]);
  return [[...middles], ...values.map((each) => [...each])];
}

function moveCursor(plot: uPlot, step: number): void {
  const [times] = plot.data;
  const from = plot.cursor.idx ?? (step > 0 ? -1 : times.length);
  const time = times[Math.min(times.length - 1, Math.max(0, from + step))];
  if (time !== undefined) plot.setCursor({ left: plot.valToPos(time, "x"), top: 10 });
}

/** A custom property with light-dark() has a colour only once it is used. */
function resolveColour(element: HTMLElement, property: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The least width of a selection that zooms, in pixels. */
const leastSelection = 8;

/** Returns the options of a plot: stacked bars or lines, quiet axes, and a cursor that selects a period. */
function plotOptions(element: HTMLElement, { data, valueText, onHover, onZoom }: ChartProps): uPlot.Options {
  const colour = (property: string): string => resolveColour(element, property);
  const axis = {
    stroke: colour("--muted"),
    font: "13px system-ui, sans-serif",
    ticks: { show: false },
    grid: { stroke: colour("--border"), width: 1 },
  };
  const labelled = new Map(data.middles.map((middle, index) => [middle, data.labels[index] ?? ""]));
  return {
    width: element.clientWidth,
    height,
    padding: [12, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: !data.stacked }, drag: { x: true, y: false, setScale: false } },
    scales: {
      x: { time: true, range: () => [data.from, data.to] },
      y: { range: (_, __, most) => [0, headroom(most)] },
    },
    axes: [
      {
        ...axis,
        size: 32,
        grid: { show: false },
        splits: (plot) => everyNth(data.middles, Math.max(1, Math.floor(plot.width / 96))),
        values: (_, splits) => splits.map((split) => labelled.get(split) ?? ""),
      },
      { ...axis, size: (_, values) => widthOf(values), values: (_, splits) => splits.map(valueText) },
    ],
    series: [{}, ...seriesOptions(data, colour)],
    hooks: {
      setCursor: [(plot) => onHover(plot.cursor.idx ?? undefined)],
      setSelect: [(plot) => reportSelection(plot, onZoom)],
    },
  };
}

/** Bars are drawn from the highest sum to the lowest, so that each covers the one before. */
function seriesOptions(data: ChartData, colour: (property: string) => string): uPlot.Series[] {
  const bars = uPlot.paths.bars?.({ size: [0.72, 64] });
  const options = data.series.map((series): uPlot.Series => {
    const drawn = colour(`--series-${series.colour}`);
    if (!data.stacked) return { stroke: drawn, width: 2, spanGaps: true, points: { show: data.middles.length === 1 } };
    return { stroke: drawn, fill: drawn, width: 0, points: { show: false }, ...(bars && { paths: bars }) };
  });
  return data.stacked ? options.reverse() : options;
}

/** Pixels beside the longest label. */
const labelMargin = 18;
const digitWidth = 7.5;

const widthOf = (labels: readonly string[] | null): number =>
  Math.max(72, ...(labels ?? []).map((label) => label.length * digitWidth + labelMargin));

const headroom = (most: number | null): number => (most === null || most <= 0 ? 1 : most * 1.08);

function everyNth(values: readonly number[], most: number): number[] {
  const step = Math.ceil(values.length / most);
  return values.filter((_, index) => index % step === 0);
}

function reportSelection(plot: uPlot, onZoom: ChartProps["onZoom"]): void {
  const { left, width } = plot.select;
  if (width === 0) return;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (width >= leastSelection) onZoom(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
}

/** A series of a chart: one value for each bucket, null where there is none. */
export interface ChartSeries {
  readonly name: string;
  /** 0 to 7, or "others". */
  readonly colour: number | "others";
  readonly values: readonly (number | null)[];
}

/** What a chart shows. */
export interface ChartData {
  /** The middle of each bucket, in seconds since the epoch. */
  readonly middles: readonly number[];
  readonly labels: readonly string[];
  /** The period, in seconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly series: readonly ChartSeries[];
  /** True: bars on top of each other. False: lines. */
  readonly stacked: boolean;
}

/** Returns the sums of each series with the ones before it, so that bars stand on top of each other. */
function stack(series: readonly ChartSeries[]): readonly (readonly number[])[] {
  const sums: number[][] = [];
  for (const { values } of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)));
  }
  return sums;
}
