import { InvalidTripInputError } from './errors.js';
import type { NearestOffer } from './trip.js';

/** PostgreSQL's BIGINT ends here. */
const ID_MAX = 2n ** 63n - 1n;
const EPOCH_MAX = 2 ** 31 - 1;
/** Drivers of one offer; the list lies in the row that decides, so it stays short. */
export const LISTED_DRIVERS_MAX = 500;
/** An hour: longer offers are schedules, which is another trade. */
export const OFFER_TTL_MAX_MS = 3_600_000;
const TEXT_MAX = 200;
/** A trip of next month is a calendar's business. */
const OFFER_AHEAD_MAX_MS = 30 * 86_400_000;
/** Drivers of one step of an offer to the nearest. */
const BATCH_MAX = 100;
const STEPS_MAX = 20;
/** Redis keeps no positions nearer to the poles. */
const POSITION_LATITUDE_MAX = 85;
export const RADIUS_MAX_METERS = 1_000_000;
const PLACE_FIELDS = ['latitude', 'longitude', 'address'];

export function assertId(field: string, value: unknown): asserts value is bigint {
  if (typeof value === 'bigint' && value > 0n && value <= ID_MAX) return;
  throw new InvalidTripInputError(field, 'must be a bigint from 1 to 9223372036854775807, such as a TSID');
}

export function assertEpoch(field: string, value: unknown): asserts value is number {
  assertWhole(field, value, 1, EPOCH_MAX);
}

/** @throws InvalidTripInputError unless it is a whole number from `min` to `max` */
export function assertWhole(field: string, value: unknown, ...[min, max]: [number, number]) {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return;
  throw new InvalidTripInputError(field, `must be a whole number from ${min} to ${max}`);
}

/** What PostgreSQL cannot store as text: NUL, and half of a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** Clocks may differ by a minute; the one of PostgreSQL decides when the time has come. */
export function assertOfferAt(field: string, value: unknown): void {
  const latest = Date.now() + OFFER_AHEAD_MAX_MS + 60_000;
  if (value instanceof Date && value.getTime() <= latest) return;
  throw new InvalidTripInputError(field, 'must be a Date, 30 days ahead at most');
}

export function assertOneOf(field: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value === 'string' && allowed.includes(value)) return;
  throw new InvalidTripInputError(field, `must be one of ${allowed.join(', ')}`);
}

export function assertText(field: string, value: unknown): asserts value is string {
  if (typeof value === 'string' && value.length > 0 && value.length <= TEXT_MAX && isStorable(value)) return;
  throw new InvalidTripInputError(
    field,
    `must be a text of 1 to ${TEXT_MAX} characters, without NUL and without half a surrogate pair`,
  );
}

export function assertAudience(field: string, value: unknown): void {
  if (value === 'EVERYONE') return;
  if (!Array.isArray(value) || value.length === 0 || value.length > LISTED_DRIVERS_MAX) {
    throw new InvalidTripInputError(
      field,
      `must be 'EVERYONE' or a list of 1 to ${LISTED_DRIVERS_MAX} driver IDs`,
    );
  }
  value.forEach((driverId, index) => {
    assertId(`${field}[${index}]`, driverId);
  });
}

export function assertPlace(field: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) {
    throw new InvalidTripInputError(field, 'must be a place with latitude and longitude');
  }
  const place = value as Record<string, unknown>;
  for (const name of Object.keys(place)) {
    if (PLACE_FIELDS.includes(name)) continue;
    throw new InvalidTripInputError(
      `${field}.${name}`,
      `is no part of a place; it has ${PLACE_FIELDS.join(', ')}`,
    );
  }
  assertDegrees(`${field}.latitude`, place.latitude, 90);
  assertDegrees(`${field}.longitude`, place.longitude, 180);
  if (place.address !== undefined) assertText(`${field}.address`, place.address);
}

/** A place at which drivers can be found. */
export function assertPosition(field: string, value: unknown): void {
  assertPlace(field, value);
  assertDegrees(`${field}.latitude`, (value as { latitude: number }).latitude, POSITION_LATITUDE_MAX);
}

export function assertNearest(field: string, { batchSize, everyMs, radiiMeters }: NearestOffer): void {
  assertWhole(`${field}.batchSize`, batchSize, 1, BATCH_MAX);
  assertWhole(`${field}.everyMs`, everyMs, 1, OFFER_TTL_MAX_MS);
  if (!Array.isArray(radiiMeters) || radiiMeters.length === 0 || radiiMeters.length > STEPS_MAX) {
    throw new InvalidTripInputError(`${field}.radiiMeters`, `must be a list of 1 to ${STEPS_MAX} radii`);
  }
  radiiMeters.forEach((radius, index) => {
    assertWhole(`${field}.radiiMeters[${index}]`, radius, 1, RADIUS_MAX_METERS);
  });
}

function assertDegrees(field: string, value: unknown, max: number): void {
  if (typeof value === 'number' && Math.abs(value) <= max) return;
  throw new InvalidTripInputError(field, `must be a number of degrees from -${max} to ${max}`);
}
