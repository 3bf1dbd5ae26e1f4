import type { SubjectTable } from '../workers/subject.js';
import { openConditionalTrips, openRowLockTrips, openSeedTrips, openVersionTrips } from './baseline-trips.js';
import { openByHandTrips } from './by-hand-trips.js';
import { openSolegateTrips, openSolegateTripsWithoutRedis } from './solegate-trips.js';

/** Every way of giving a trip away that the bench knows, by the name that its tables show. */
export const tripSubjects = {
  solegate: openSolegateTrips,
  'solegate without Redis': openSolegateTripsWithoutRedis,
  "seed's flow": openSeedTrips,
  'conditional UPDATE': openConditionalTrips,
  'version only': openVersionTrips,
  'FOR UPDATE': openRowLockTrips,
  'same promises by hand': openByHandTrips,
} satisfies SubjectTable;
