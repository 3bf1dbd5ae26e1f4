import type { SubjectRole } from '../../measuring/result.js';

type ChartColor = SubjectRole | 'ink' | 'faint' | 'line';

/**
 * A color of a chart, as a CSS variable, which the page sets by `prefers-color-scheme`. So one drawing serves a light and a
 * dark scheme, without a script in the page.
 */
export function color(name: ChartColor): string {
  return `var(--${name})`;
}

/** The CSS variables for both schemes. */
export const PALETTE_CSS = `
:root {
  color-scheme: light dark;
  --ink: #1c2430; --faint: #5b6675; --line: #dfe4ea; --paper: #ffffff; --wash: #f5f7f9;
  --solegate: #0f766e; --original: #c2570c; --rejected: #7c8896; --peer: #6d5bd0; --floor: #b4bdc7;
  --bad: #c01c28; --good: #0f766e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6eaf0; --faint: #9aa6b5; --line: #2b3440; --paper: #12171e; --wash: #1a212a;
    --solegate: #2dd4bf; --original: #fb923c; --rejected: #8592a3; --peer: #a99bff; --floor: #4d5967;
    --bad: #ff6b74; --good: #2dd4bf;
  }
}`;
