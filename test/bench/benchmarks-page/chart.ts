import { axisX, barX, gridX, plot, ruleX, text } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import type { ContenderName } from "../gateway.ts";
import { contenderTitles, type Load } from "./figures.ts";

const colors: ReadonlyMap<ContenderName, string> = new Map<ContenderName, string>([
  ["bare", "#94a3b8"],
  ["router", "#2563eb"],
  ["router on sqlite", "#0d9488"],
  ["router on postgres", "#7c3aed"],
  ["router in slices", "#db2777"],
  ["portkey", "#f59e0b"],
]);

/** Of the font of the titles, in pixels, with room for wide letters. */
const letterWidth = 6.8;

interface DrawnBar {
  readonly load: string;
  readonly contender: string;
  readonly times: number;
}

/** Draws the CPU time of each load as a multiple of the bare proxy's. Returns an SVG document. */
export function drawChart(loads: readonly Load[]): string {
  const shown = [...colors].filter(([name]) => loads.some(({ costs }) => costs.has(name)));
  const bars = loads.flatMap(({ title, costs }) =>
    shown.flatMap(([name]): DrawnBar[] => {
      const cost = costs.get(name);
      return cost === undefined ? [] : [{ load: title, contender: titleOf(name), times: cost.toBare.median }];
    }),
  );
  const place = { fy: "load", y: "contender", x: "times" } as const;
  const { document } = parseHTML("<html></html>");
  const titleWidth = Math.max(...loads.map(({ title }) => title.length)) * letterWidth;
  const chart = plot({
    document,
    width: 535 + titleWidth,
    height: 60 + loads.length * (shown.length * 17 + 14),
    marginLeft: titleWidth,
    marginRight: 150,
    marginTop: 36,
    style: { font: "12px system-ui, sans-serif", background: "#fff", color: "#334155" },
    x: { domain: [0, Math.max(...bars.map(({ times }) => times))] },
    y: { axis: null, domain: shown.map(([name]) => titleOf(name)) },
    fy: { label: null, domain: loads.map(({ title }) => title), padding: 0.2 },
    color: { domain: shown.map(([name]) => titleOf(name)), range: shown.map(([, color]) => color) },
    marks: [
      gridX(),
      axisX({ anchor: "top", label: "CPU time of the gateway, times that of a bare proxy" }),
      barX(bars, { ...place, fill: "contender" }),
      text(bars, {
        ...place,
        text: ({ contender, times }: DrawnBar) => `${times.toFixed(1)}  ${contender}`,
        textAnchor: "start",
        dx: 5,
      }),
      ruleX([0]),
    ],
  });
  chart.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return chart.outerHTML;
}

const titleOf = (name: ContenderName): string => contenderTitles.get(name) ?? name;
