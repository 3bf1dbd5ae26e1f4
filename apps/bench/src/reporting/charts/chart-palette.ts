import type { SubjectRole } from '../../measuring/result.js';

/**
 * Colors for a light and a dark scheme. Charts are drawn once, with placeholders for colors; afterwards, each
 * placeholder becomes a CSS variable, which the page sets by `prefers-color-scheme`. So one drawing serves both,
 * without a script in the page.
 */
const marks = {
  ink: '#0a0b01',
  faint: '#0a0b02',
  line: '#0a0b03',
  paper: '#0a0b04',
  solegate: '#0a0b05',
  solegateSoft: '#0a0b06',
  original: '#0a0b07',
  rejected: '#0a0b08',
  peer: '#0a0b09',
  floor: '#0a0b0a',
  bad: '#0a0b0b',
} as const;

export type ChartColor = keyof typeof marks;

/** The placeholder of a color, for a chart's options. */
export function color(name: ChartColor): string {
  return marks[name];
}

export function roleColor(role: SubjectRole): string {
  return marks[role];
}

const variableOf = new Map<string, string>(
  Object.entries(marks).map(([name, mark]) => [mark, `var(--${name})`]),
);

/** Replaces the placeholders in a drawing with CSS variables. */
export function withVariables(svg: string): string {
  return svg.replace(/#0a0b0[0-9a-b]\b|rgb\(10, ?11, ?(\d+)\)/g, (mark, blue?: string) => {
    const key = blue === undefined ? mark : `#0a0b${Number(blue).toString(16).padStart(2, '0')}`;
    return variableOf.get(key) ?? mark;
  });
}

/** The CSS variables for both schemes. */
export const PALETTE_CSS = `
:root {
  color-scheme: light dark;
  --ink: #1c2430; --faint: #5b6675; --line: #dfe4ea; --paper: #ffffff; --wash: #f5f7f9;
  --solegate: #0f766e; --solegateSoft: #5fb3a8; --original: #c2570c; --rejected: #7c8896; --peer: #6d5bd0; --floor: #b4bdc7;
  --bad: #c01c28; --good: #0f766e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6eaf0; --faint: #9aa6b5; --line: #2b3440; --paper: #12171e; --wash: #1a212a;
    --solegate: #2dd4bf; --solegateSoft: #1c8478; --original: #fb923c; --rejected: #8592a3; --peer: #a99bff; --floor: #4d5967;
    --bad: #ff6b74; --good: #2dd4bf;
  }
}`;
