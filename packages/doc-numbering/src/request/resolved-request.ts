import type { Series } from '../contract/series.js';
import type { Affixes, CompiledFormat } from '../format/compiled-format.js';
import { periodOf } from '../format/period.js';

/** What identifies a counter. */
export interface NamedCounter {
  readonly series: Pick<Series, 'space' | 'series' | 'identity'>;
  /** Codes by token name, names sorted. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly period: string;
}

/** A counter identified by its series, dimensions and period, whether or not its row exists yet. */
export interface CounterAddress extends NamedCounter {
  /** Identifies the counter in the memory of a process. */
  readonly key: string;
  readonly series: Series;
  /** The dimensions as canonical JSON. */
  readonly dimensionsKey: string;
}

/** A request that passed every check that needs no lock: only the draw is left. */
export interface ResolvedRequest extends CounterAddress {
  readonly format: CompiledFormat;
  readonly date: string;
  readonly affixes: Affixes;
  /** Last sequence that the format's width and the series allow. */
  readonly ceiling: number;
}

/** For messages: `RFA of P1 (ORG PAT, DISCIPLINE STR), period 2026`. */
export function counterName({ series, dimensions, period }: NamedCounter): string {
  const codes = Object.entries(dimensions).map(([token, code]) => `${token} ${code}`);
  const { space, series: code } = series;
  return `${code} of ${space}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}, period ${period}`;
}

/** Redis keys of one counter. Other apps that acquire the same lock with redlock use `lock` as their resource. */
export interface LockKey {
  readonly lock: string;
  /** Hash next to the lock: the counter's position, and who waits. */
  readonly state: string;
}

/** Escapes separators in codes: two counters must never share a key, because the state holds a high-water mark. */
const escapeCode = (code: string): string => code.replace(/[%:{}\s]/g, encodeURIComponent);

/**
 * `doc_num:{project}:org:type:discipline:period`: the organization before the series, other dimensions after it by
 * name. The braces are a hash tag, so that the counters of one number space share a cluster slot. The state key adds
 * the series' identity: what one database knows about a counter means nothing to another that shares the Redis.
 */
export function lockKey({ series, dimensions, period }: NamedCounter): LockKey {
  const { ORG = '', ...others } = dimensions;
  const codes = [ORG, series.series, ...Object.values(others), period].map(escapeCode).join(':');
  const space = `{${escapeCode(series.space)}}`;
  return { lock: `doc_num:${space}:${codes}`, state: `doc_num:${space}:${series.identity}:${codes}` };
}

/** The position of a counter. */
export interface Position {
  readonly version: number;
  readonly last: number;
}

/** Builds the resolved request once its codes, date and format are known. */
export function resolvedFrom(facts: {
  series: Series;
  format: CompiledFormat;
  date: string;
  codes: Readonly<Record<string, string>>;
}): ResolvedRequest {
  const { series, format, date, codes } = facts;
  const period = periodOf(date, series);
  const names = series.dimensions.map(({ token }) => token).sort();
  const dimensions = Object.fromEntries(names.map((name) => [name, codes[name] ?? '']));
  const dimensionsKey = JSON.stringify(dimensions);
  const manualFirst = series.manualInterval?.first ?? Number.POSITIVE_INFINITY;
  const endAt = series.endAt ?? Number.POSITIVE_INFINITY;
  return {
    key: `${series.id}\n${dimensionsKey}\n${period}`,
    series,
    format,
    date,
    period,
    dimensions,
    dimensionsKey,
    affixes: format.affixes({ date, codes }, series),
    ceiling: Math.min(format.ceiling, manualFirst - 1, endAt),
  };
}
