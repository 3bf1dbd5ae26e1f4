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
 * The braces are a hash tag, so that the counters of one number space share a slot of a cluster.
 */
export function lockKey({ series, dimensions, period }: CounterAddress): LockKey {
  const { ORG = '', ...others } = dimensions;
  const codes = Object.values(others).map(escapeCode);
  const lock = [
    'doc_num',
    `{${escapeCode(series.space)}}`,
    escapeCode(ORG),
    escapeCode(series.series),
    ...codes,
    period,
  ];
  return { lock: lock.join(':'), state: `${lock.join(':')}:state` };
}
