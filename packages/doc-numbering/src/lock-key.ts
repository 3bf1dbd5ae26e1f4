import type { CounterAddress } from './resolved-request.js';

/** Redis keys of one counter. Other apps that take the same lock with redlock use `lock` as their resource. */
export interface LockKey {
  readonly lock: string;
  /** Hash beside the lock: where the counter stands, and who waits. */
  readonly state: string;
}

/** Two counters must never share a key, because the state holds a high-water mark: separators in codes are escaped. */
const escapeCode = (code: string): string => code.replace(/[%:{}\s]/g, encodeURIComponent);

/**
 * `doc_num:{project}:org:type:discipline:period`: the organisation before the series, other dimensions behind it by name.
 * The braces are a hash tag, so that the counters of one number space share a slot of a cluster. The state also carries the
 * series' identity: what one database knows of a counter means nothing for another that shares the Redis.
 */
export function lockKey({ series, dimensions, period }: CounterAddress): LockKey {
  const { ORG = '', ...others } = dimensions;
  const codes = [ORG, series.series, ...Object.values(others), period].map(escapeCode).join(':');
  const space = `{${escapeCode(series.space)}}`;
  return { lock: `doc_num:${space}:${codes}`, state: `doc_num:${space}:${series.identity}:${codes}` };
}
