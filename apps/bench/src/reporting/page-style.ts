/** Layout and typography of the report; colors come from the palette. */
export const PAGE_CSS = `
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 30px; margin: 0 0 8px; letter-spacing: -0.01em; }
h2 { font-size: 21px; margin: 48px 0 16px; padding-top: 16px; border-top: 1px solid var(--line); }
h3 { font-size: 15px; margin: 0; }
p { margin: 0 0 12px; max-width: 90ch; }
.facts, .faint, figcaption p { color: var(--faint); font-size: 13px; }
.verdict { font-size: 17px; margin-bottom: 4px; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.key { margin-top: 16px; display: flex; flex-wrap: wrap; gap: 6px 20px; font-size: 13px; }
.key span::before { content: ''; display: inline-block; width: 12px; height: 12px; border-radius: 3px;
  margin-right: 6px; vertical-align: -1px; background: currentColor; }
.key .solegate { color: var(--solegate); } .key .original { color: var(--original); } .key .rejected { color: var(--rejected); }
.key .peer { color: var(--peer); } .key .floor { color: var(--faint); } .key .floor::before { background: var(--floor); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; font-weight: 600; color: var(--faint); font-size: 13px; }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tr.met td:first-child { color: var(--good); } tr.missed td:first-child { color: var(--bad); font-weight: 600; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 520px), 1fr)); gap: 20px; }
figure { margin: 0; padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper);
  display: flex; flex-direction: column; gap: 10px; min-width: 0; }
figcaption p { margin: 2px 0 0; }
svg { display: block; width: 100%; height: auto; }
`;
