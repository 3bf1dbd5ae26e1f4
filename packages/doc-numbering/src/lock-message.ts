import type { Standing } from './batch.js';
import type { WantedLock } from './kept-locks.js';
import type { LockKey } from './lock-key.js';

/** A lock that goes to this process, as lua/give-locks.ts writes it. */
export interface HandedLock {
  readonly key: LockKey;
  readonly token: string;
  readonly hint: Standing | undefined;
  /** More processes wait for it. */
  readonly isWanted: boolean;
}

/** What comes into a process's inbox: locks that others want of it, or locks that are its own now. */
export type LockMessage =
  | { readonly kind: 'wanted'; readonly wanted: readonly WantedLock[] }
  | { readonly kind: 'yours'; readonly locks: readonly HandedLock[] };

export function readLockMessage(text: string): LockMessage {
  const [kind, ...facts] = text.split('\n');
  if (kind === 'wanted') {
    return { kind, wanted: inGroups(facts, 2).map(([lock = '', token = '']) => ({ lock, token })) };
  }
  const locks = inGroups(facts, 6).map(([lock = '', token = '', state = '', version, last, others]) => ({
    key: { lock, state },
    token,
    hint: readHint(version, last),
    isWanted: others === '1',
  }));
  return { kind: 'yours', locks };
}

/** Where a counter stood, from the two fields of its hint; both are empty when Redis knows nothing of it. */
export const readHint = (version: unknown, last: unknown): Standing | undefined =>
  version === '' || version === undefined ? undefined : { version: Number(version), last: Number(last) };

function inGroups(facts: readonly string[], size: number): string[][] {
  const groups: string[][] = [];
  for (let at = 0; at < facts.length; at += size) groups.push(facts.slice(at, at + size));
  return groups;
}
