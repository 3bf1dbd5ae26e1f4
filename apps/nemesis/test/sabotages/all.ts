import { EVENT_SABOTAGES } from './events.js';
import { FACT_SABOTAGES } from './facts.js';
import { NUMBER_SABOTAGES } from './numbers.js';
import { SEAL_SABOTAGES } from './seals.js';
import { TRIP_SABOTAGES } from './trips.js';

/** Every lie by its name. */
export const SABOTAGES = Object.entries({
  ...NUMBER_SABOTAGES,
  ...SEAL_SABOTAGES,
  ...TRIP_SABOTAGES,
  ...EVENT_SABOTAGES,
  ...FACT_SABOTAGES,
});
