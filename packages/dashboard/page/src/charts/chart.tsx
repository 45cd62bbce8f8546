import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { type ChartData, stack } from "./chart-data.ts";
import { type PlotContext, plotOptions } from "./plot-options.ts";

type ChartProps = Pick<PlotContext, "data" | "valueText" | "onHover" | "onZoom"> & { readonly label: string };

const height = 280;

/** A chart over time. Arrow keys move its cursor, and dragging selects a period. */
export function Chart({ data, label, valueText, onHover, onZoom }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const draw = (): void => {
      plot.current?.destroy();
      const width = element.clientWidth;
      const colour = (property: string): string => resolveColour(element, property);
      const options = plotOptions({ data, width, height, colour, valueText, onHover, onZoom });
      plot.current = new uPlot(options, plotted(data), element);
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
