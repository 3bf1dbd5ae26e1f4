import { InvalidRequestError } from './errors.js';
import type { NearestOffer } from './trip.js';

/** The maximum of PostgreSQL's BIGINT. */
const ID_MAX = 2n ** 63n - 1n;
const EPOCH_MAX = 2 ** 31 - 1;
/** Maximum number of drivers listed in an offer; the list is in the row that decides, so it must stay short. */
export const LISTED_DRIVERS_MAX = 500;
/** One hour: a longer offer would be a schedule. */
export const OFFER_TTL_MAX_MS = 3_600_000;
const TEXT_MAX = 200;
/** Trips further ahead belong in a calendar. */
const OFFER_AHEAD_MAX_MS = 30 * 86_400_000;
/** Maximum number of drivers that one search returns, and one step of an offer adds. */
export const FOUND_DRIVERS_MAX = 100;
const STEPS_MAX = 20;
/** Redis stores no positions closer to the poles. */
const POSITION_LATITUDE_MAX = 85;
export const RADIUS_MAX_METERS = 1_000_000;
const PLACE_FIELDS = ['latitude', 'longitude', 'address'];

export function assertId(field: string, value: unknown): asserts value is bigint {
  if (typeof value === 'bigint' && value > 0n && value <= ID_MAX) return;
  throw new InvalidRequestError(field, 'must be a bigint from 1 to 9223372036854775807, such as a TSID');
}

export function assertEpoch(field: string, value: unknown): asserts value is number {
  assertWhole(field, value, 1, EPOCH_MAX);
}

/** @throws InvalidRequestError unless it is a whole number from `min` to `max` */
export function assertWhole(field: string, value: unknown, ...[min, max]: [number, number]) {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return;
  throw new InvalidRequestError(field, `must be a whole number from ${min} to ${max}`);
}

/** PostgreSQL text cannot contain NUL or an unpaired surrogate. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** Allows for a minute of clock difference; PostgreSQL's clock decides when the trip is offered. Past times mean now. */
export function assertOfferAt(field: string, value: unknown): void {
  const latest = Date.now() + OFFER_AHEAD_MAX_MS + 60_000;
  if (value instanceof Date && value.getTime() >= 0 && value.getTime() <= latest) return;
  throw new InvalidRequestError(field, 'must be a Date after 1970, at most 30 days ahead');
}

export function assertOneOf(field: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value === 'string' && allowed.includes(value)) return;
  throw new InvalidRequestError(field, `must be one of ${allowed.join(', ')}`);
}

export function assertText(field: string, value: unknown): asserts value is string {
  if (typeof value === 'string' && value.length > 0 && value.length <= TEXT_MAX && isStorable(value)) return;
  throw new InvalidRequestError(
    field,
    `must be a string of 1 to ${TEXT_MAX} characters without NUL or unpaired surrogates`,
  );
}

export function assertAudience(field: string, value: unknown): void {
  if (value === 'EVERYONE') return;
  if (!Array.isArray(value) || value.length === 0 || value.length > LISTED_DRIVERS_MAX) {
    throw new InvalidRequestError(
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
    throw new InvalidRequestError(field, 'must be a place with latitude and longitude');
  }
  const place = value as Record<string, unknown>;
  for (const name of Object.keys(place)) {
    if (PLACE_FIELDS.includes(name)) continue;
    throw new InvalidRequestError(
      `${field}.${name}`,
      `is not a field of a place; allowed: ${PLACE_FIELDS.join(', ')}`,
    );
  }
  assertDegrees(`${field}.latitude`, place.latitude, 90);
  assertDegrees(`${field}.longitude`, place.longitude, 180);
  if (place.address !== undefined) assertText(`${field}.address`, place.address);
}

/** Checks a place whose surroundings can be searched for drivers. */
export function assertPosition(field: string, value: unknown): void {
  assertPlace(field, value);
  assertDegrees(`${field}.latitude`, (value as { latitude: number }).latitude, POSITION_LATITUDE_MAX);
}

export function assertNearest(field: string, nearest: NearestOffer, offeredTo: unknown): void {
  const { batchSize, everyMs, radiiMeters, whenUnavailable = 'WAIT' } = nearest;
  assertOneOf(`${field}.whenUnavailable`, whenUnavailable, ['WAIT', 'LISTED', 'EVERYONE']);
  if (whenUnavailable === 'LISTED' && !Array.isArray(offeredTo)) {
    throw new InvalidRequestError('offeredTo', 'must list the drivers for "LISTED"');
  }
  assertWhole(`${field}.batchSize`, batchSize, 1, FOUND_DRIVERS_MAX);
  assertWhole(`${field}.everyMs`, everyMs, 1, OFFER_TTL_MAX_MS);
  if (!Array.isArray(radiiMeters) || radiiMeters.length === 0 || radiiMeters.length > STEPS_MAX) {
    throw new InvalidRequestError(`${field}.radiiMeters`, `must be a list of 1 to ${STEPS_MAX} radii`);
  }
  radiiMeters.forEach((radius, index) => {
    assertWhole(`${field}.radiiMeters[${index}]`, radius, 1, RADIUS_MAX_METERS);
  });
}

function assertDegrees(field: string, value: unknown, max: number): void {
  if (typeof value === 'number' && Math.abs(value) <= max) return;
  throw new InvalidRequestError(field, `must be a number of degrees from -${max} to ${max}`);
}
