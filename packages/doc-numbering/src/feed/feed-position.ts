import { createHash } from 'node:crypto';
import { InvalidRequestError } from '../contract/numbering-error.js';

/** Longest cursor: it fits into a header. */
export const CURSOR_MAX = 4096;
const DIGEST_BYTES = 8;
const NAME_BYTES = 6;
const CHECK_BYTES = 4;
/** A cursor in another order of bytes gets another. */
const VERSION = 1;

/** How far a counter has been read, and when the ledger row there was issued; undefined if there is none. */
export interface CounterPosition {
  readonly last: number;
  readonly atMs: number | undefined;
}

/** The last event that has been read; its position is 0 before the first. */
export interface EventPosition {
  readonly position: number;
  readonly id: string | undefined;
  readonly atMs: number | undefined;
}

/**
 * How far a feed has been read. It cannot be too far: a counter's sequences commit in their order, because its row is
 * locked until the commit, and positions of events are given after their commit.
 */
export class FeedPosition {
  readonly counters = new Map<number, CounterPosition>();
  event: EventPosition = { position: 0, id: undefined, atMs: undefined };
  /** When the newest of all facts that have been read happened, in milliseconds of PostgreSQL's clock. */
  newestMs = 0;

  read(counterId: number, last: number, atMs: number | undefined): void {
    this.counters.set(counterId, { last, atMs });
    this.newestMs = Math.max(this.newestMs, atMs ?? 0);
  }

  readEvent(event: EventPosition): void {
    this.event = event;
    this.newestMs = Math.max(this.newestMs, event.atMs ?? 0);
  }

  saved(): SavedPosition {
    return {
      counters: new Map([...this.counters].map(([id, { last }]) => [id, last])),
      eventPosition: this.event.position,
      newestMs: this.newestMs,
      digest: this.digest(),
    };
  }

  /** Identifies the rows at the position: a ledger that was restored has others, or none. */
  digest(): Buffer {
    const rows = [...this.counters].sort(([one], [other]) => one - other);
    const said = [rows.map(([id, { last, atMs }]) => [id, last, atMs ?? null]), Object.values(this.event)];
    return hashOf(JSON.stringify(said), DIGEST_BYTES);
  }
}

/** What a cursor holds. It has the digest of what it was read from, but not the times of each row, which would not fit. */
export interface SavedPosition {
  readonly counters: ReadonlyMap<number, number>;
  readonly eventPosition: number;
  readonly newestMs: number;
  readonly digest: Buffer;
}

/** Names a feed, by the identity of its series and the conditions for its counters. */
export interface FeedName {
  readonly identity: string;
  readonly conditions: readonly (readonly [name: string, value: string])[];
}

const hashOf = (text: string | Buffer, size: number): Buffer =>
  createHash('sha256').update(text).digest().subarray(0, size);

const nameOf = ({ identity, conditions }: FeedName): Buffer =>
  hashOf(JSON.stringify([identity, conditions.toSorted(([a], [b]) => (a < b ? -1 : 1))]), NAME_BYTES);

/** Returns the cursor as text, however long it is. */
export function writeCursor(name: FeedName, position: FeedPosition): string {
  const body: number[] = [];
  let before = 0;
  for (const whole of [position.newestMs, position.event.position, position.counters.size])
    writeWhole(body, whole);
  for (const [id, { last }] of [...position.counters].sort(([one], [other]) => one - other)) {
    writeWhole(body, id - before);
    writeWhole(body, last);
    before = id;
  }
  const rest = Buffer.concat([Buffer.of(VERSION), nameOf(name), position.digest(), Buffer.from(body)]);
  return Buffer.concat([hashOf(rest, CHECK_BYTES), rest]).toString('base64url');
}

/** Reads a cursor of the feed, or of one with fewer conditions, which has read at least as much. @throws InvalidRequestError */
export function readCursor(name: FeedName, cursor: unknown): SavedPosition {
  const bytes = /^[\w-]{1,4096}$/.test(String(cursor))
    ? Buffer.from(String(cursor), 'base64url')
    : Buffer.of();
  const rest = bytes.subarray(CHECK_BYTES);
  const isWhole = hashOf(rest, CHECK_BYTES).equals(bytes.subarray(0, CHECK_BYTES)) && rest[0] === VERSION;
  if (!isWhole) throw new InvalidRequestError('after', 'is not a cursor of a feed');
  const ofFeed = rest.subarray(1, 1 + NAME_BYTES);
  if (!widerNames(name).some((wider) => nameOf(wider).equals(ofFeed)))
    throw new InvalidRequestError('after', 'is a cursor of a feed of other numbers');
  const [newestMs = 0, eventPosition = 0, count = -1, ...steps] = wholesOf(
    rest.subarray(1 + NAME_BYTES + DIGEST_BYTES),
  );
  const counters = new Map<number, number>();
  let id = 0;
  for (let index = 0; index < steps.length; index += 2) {
    id += steps[index] ?? 0;
    counters.set(id, steps[index + 1] ?? 0);
  }
  const isRead =
    steps.length === 2 * count && [id, newestMs, eventPosition, ...steps].every(Number.isSafeInteger);
  if (!isRead) throw new InvalidRequestError('after', 'is not a cursor of a feed');
  const digest = rest.subarray(1 + NAME_BYTES, 1 + NAME_BYTES + DIGEST_BYTES);
  return { counters, eventPosition, newestMs, digest };
}

/** The feed itself, and those of the same series with some of its conditions only. */
function widerNames({ identity, conditions }: FeedName): FeedName[] {
  const subsets: FeedName['conditions'][] = [[]];
  for (const condition of conditions) subsets.push(...subsets.map((some) => [...some, condition]));
  return subsets.map((some) => ({ identity, conditions: some }));
}

/** Appends a whole number below 2^53, seven bits a byte, the lowest first. */
function writeWhole(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

function wholesOf(bytes: Uint8Array): number[] {
  const wholes: number[] = [];
  let value = 0;
  let unit = 1;
  for (const byte of bytes) {
    value += (byte % 128) * unit;
    unit *= 128;
    if (byte >= 128) continue;
    wholes.push(value);
    value = 0;
    unit = 1;
  }
  return wholes;
}
