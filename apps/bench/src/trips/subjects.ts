import { baselineTrips } from './baseline-trips.js';
import { solegateTrips } from './solegate-trips.js';

/** All ways of assigning a trip, by the name shown in tables. */
export const subjects = { ...solegateTrips, ...baselineTrips };
