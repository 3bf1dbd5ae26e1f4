import type { SubjectTable } from '../workers/subject.js';
import {
  openConditionalTrips,
  openOriginalTrips,
  openRowLockTrips,
  openVersionTrips,
} from './baseline-trips.js';
import { openByHandTrips } from './by-hand-trips.js';
import {
  openSolegateTrips,
  openSolegateTripsDriversMove,
  openSolegateTripsOneRowHeld,
  openSolegateTripsWithoutRedis,
} from './solegate-trips.js';

/** All ways of assigning a trip, by the name shown in tables. */
export const subjects = {
  solegate: openSolegateTrips,
  'solegate without Redis': openSolegateTripsWithoutRedis,
  'solegate, one row held': openSolegateTripsOneRowHeld,
  'solegate, drivers report positions': openSolegateTripsDriversMove,
  'original design': openOriginalTrips,
  'conditional UPDATE': openConditionalTrips,
  'version only': openVersionTrips,
  'FOR UPDATE': openRowLockTrips,
  'same promises by hand': openByHandTrips,
} satisfies SubjectTable;
