import { openOneRowHeld } from '../held-counter.js';
import { originalNumbering } from './original-numbering.js';
import { rejectedNumbering } from './rejected-numbering.js';
import { solegateNumbering } from './solegate-numbering.js';

/** All ways of numbering, by the name shown in tables. */
export const subjects = {
  ...solegateNumbering,
  'solegate, one row held': openOneRowHeld,
  ...originalNumbering,
  ...rejectedNumbering,
};
