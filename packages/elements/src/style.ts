/** The style of every element. A page sets the custom properties on the element, or on any of its ancestors. */
export const style = `
:host {
  --text: var(--tollgate-text, light-dark(#18181b, #ececef));
  --muted: var(--tollgate-muted, light-dark(#5f5f69, #a2a2ad));
  --surface: var(--tollgate-surface, light-dark(#ffffff, #19191c));
  --border: var(--tollgate-border, light-dark(#d0d0d7, #3a3a42));
  --accent: var(--tollgate-accent, light-dark(#5353cf, #a3a3ff));
  --on-accent: var(--tollgate-on-accent, light-dark(#ffffff, #14142b));
  --bad: var(--tollgate-bad, light-dark(#b3261e, #ff8f86));
  --radius: var(--tollgate-radius, 8px);
  display: block;
  color: var(--text);
  font: var(--tollgate-font, 14px/1.5 system-ui, sans-serif);
}
:host([hidden]) { display: none; }
.box { display: grid; gap: 12px; padding: 16px; border: 1px solid var(--border); border-radius: var(--radius); background: var(--surface); }
.muted { color: var(--muted); }
.figure { font-size: 2em; font-weight: 600; line-height: 1.2; font-variant-numeric: tabular-nums; }
.problem { color: var(--bad); }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; }
.row > .grow { flex: 1; min-width: 0; overflow-wrap: anywhere; }
p, ul { margin: 0; padding: 0; list-style: none; }
ul { display: grid; gap: 8px; }
:is(p, div):empty { display: none; }
button { min-height: 32px; padding: 0 12px; border: 1px solid var(--border); border-radius: 6px; background: none; color: inherit; font: inherit; cursor: pointer; }
button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button:disabled { cursor: default; opacity: 0.6; }
button:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
input { min-height: 32px; padding: 0 8px; border: 1px solid var(--muted); border-radius: 6px; background: none; color: inherit; font: inherit; }
code { overflow-wrap: anywhere; font-family: ui-monospace, monospace; }
.bars { display: flex; align-items: flex-end; gap: 2px; height: 96px; border-bottom: 1px solid var(--border); }
.bars span { flex: 1; min-height: 1px; border-radius: 2px 2px 0 0; background: var(--accent); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 0; text-align: right; font-weight: inherit; }
th:first-child, td:first-child { text-align: left; }
summary { color: var(--accent); cursor: pointer; }
`;
