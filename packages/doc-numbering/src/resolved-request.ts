import type { Affixes, CompiledFormat } from './compiled-format.js';
import type { Series } from './series.js';

/** A counter as its series, dimensions and period name it, whether or not its row exists yet. */
export interface CounterAddress {
  readonly series: Series;
  /** Canonical JSON object of codes by token name, names sorted. */
  readonly dimensionsKey: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly period: string;
}

/** A request that passed every check which needs no lock: what is left is to draw the number. */
export interface ResolvedRequest extends CounterAddress {
  readonly format: CompiledFormat;
  readonly date: string;
  readonly affixes: Affixes;
  /** Last sequence that the format's width and the series allow. */
  readonly ceiling: number;
}

/** For messages: `RFA of P1 (ORG PAT, DISCIPLINE STR), period 2026`. */
export function counterName(address: CounterAddress): string {
  const codes = Object.entries(address.dimensions).map(([token, code]) => `${token} ${code}`);
  const { space, series } = address.series;
  return `${series} of ${space}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}, period ${address.period}`;
}
