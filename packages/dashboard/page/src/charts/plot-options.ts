import uPlot from "uplot";
import type { ChartData } from "./chart-data.ts";

/** What a plot needs from its component. */
export interface PlotContext {
  readonly data: ChartData;
  readonly width: number;
  readonly height: number;
  /** Resolves a custom property of the style sheet to a colour. */
  readonly colour: (property: string) => string;
  readonly valueText: (value: number) => string;
  readonly onHover: (index: number | undefined) => void;
  /** Gets the selected period in seconds. */
  readonly onZoom: (from: number, to: number) => void;
}

/** The least width of a selection that zooms, in pixels. */
const leastSelection = 8;

/** Returns the options of a plot: stacked bars or lines, quiet axes, and a cursor that selects a period. */
export function plotOptions({ data, width, height, colour, valueText, onHover, onZoom }: PlotContext): uPlot.Options {
  const axis = {
    stroke: colour("--muted"),
    font: "13px system-ui, sans-serif",
    ticks: { show: false },
    grid: { stroke: colour("--border"), width: 1 },
  };
  const labelled = new Map(data.middles.map((middle, index) => [middle, data.labels[index] ?? ""]));
  return {
    width,
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
function seriesOptions(data: ChartData, colour: PlotContext["colour"]): uPlot.Series[] {
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

function reportSelection(plot: uPlot, onZoom: PlotContext["onZoom"]): void {
  const { left, width } = plot.select;
  if (width === 0) return;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (width >= leastSelection) onZoom(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
}
