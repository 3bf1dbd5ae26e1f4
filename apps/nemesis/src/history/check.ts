import { CALL_RULES } from './calls.js';
import { CORRECTION_RULES } from './corrections.js';
import { DOCUMENT_RULES } from './documents.js';
import { EVENT_RULES } from './events.js';
import { FACT_RULES } from './facts.js';
import type { History } from './history.js';
import { ID_RULES } from './ids.js';
import { NUMBER_RULES } from './numbers.js';
import { OFFER_RULES } from './offers.js';
import { RIDE_RULES } from './rides.js';
import { SEAL_RULES } from './seals.js';

/** Every promise that a run is checked against. */
export const RULES = {
  ...ID_RULES,
  ...NUMBER_RULES,
  ...CORRECTION_RULES,
  ...DOCUMENT_RULES,
  ...SEAL_RULES,
  ...OFFER_RULES,
  ...RIDE_RULES,
  ...EVENT_RULES,
  ...FACT_RULES,
  ...CALL_RULES,
};

export type RuleName = keyof typeof RULES;

/** A broken promise. */
export interface Violation {
  readonly rule: RuleName;
  /** The smallest evidence. */
  readonly witness: string;
}

/** Checks every answer against every other, against what subscribers received, and against PostgreSQL. */
export function check(history: History): Violation[] {
  const names = Object.keys(RULES) as RuleName[];
  return names.flatMap((rule) => Array.from(RULES[rule].find(history), (witness) => ({ rule, witness })));
}
