const rollback = { error: { message: 'the app changes its mind' }, isKept: false };

const numbers = {
  commit: { made: { sequence: 2 }, isKept: true, letterCount: 1 },
  rollback,
  lockTimeout: { code: 'BUSY', retryable: true },
  duplicate: { code: 'DUPLICATE', retryable: false },
  serializationFailure: { code: 'BUSY', retryable: true },
};

const trip = (details: object) => ({
  commit: {
    made: { isSame: true, status: 'FINDING', times: [true, true], ...details },
    isKept: true,
    letterCount: 1,
  },
  rollback,
  lockTimeout: { code: 'BUSY', retryable: true },
  duplicate: { code: 'TRIP_CONFLICT', retryable: false },
  serializationFailure: { code: 'BUSY', retryable: true },
});

/** What `meanings.mjs` finds, whatever the library. */
export const EXPECTED = {
  calls: {
    issueIn: numbers,
    'issueIn with a key': numbers,
    issueAllIn: numbers,
    requestTrip: trip({ offeredTo: 'EVERYONE', pickup: null }),
    'requestTrip for drivers': trip({
      offeredTo: '501,502',
      pickup: { latitude: 13.75, longitude: 100.5 },
    }),
  },
  crowd: { count: 40, isGapless: true },
};

/** The same of a writer with connections of the library, if it gives them out. A driver's error reaches the caller as it is. */
export const EXPECTED_DATABASE = {
  alone: 1,
  commit: { sequence: 2 },
  rollback: { message: 'the app refuses this letter' },
  duplicate: { code: '23505' },
  serializationFailure: { retryable: true },
  lockTimeout: { code: 'BUSY', retryable: true },
  next: 3,
  nextAfterConflict: 1,
  letterCount: 1,
};
