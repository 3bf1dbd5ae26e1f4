import { computed } from '@preact/signals';
import { callerName } from './identity.js';
import { tabSignal } from './tab-signal.js';

/** A number that the user took. */
export interface TakenNumber {
  readonly number: string;
  readonly projectCode: string;
  /** An open reservation. */
  readonly held?: { readonly token: string; readonly expiresAt: string };
  /** Its state, in words. */
  readonly words: string;
}

/** A user whose token expires keeps their reservations until somebody else takes a number. */
const taken = tabSignal<{ readonly taker: string; readonly numbers: readonly TakenNumber[] }>(
  'solegate-taken-numbers',
  { taker: '', numbers: [] },
);

/**
 * What the user has taken in this tab, newest first. It outlasts the view and the page, since nothing else has the
 * tokens of open reservations.
 */
export const takenNumbers = computed(() =>
  taken.value.taker === callerName.value ? taken.value.numbers : [],
);

/** Adds a number, or replaces what is known about it. */
export function addTaken(newest: TakenNumber): void {
  const isOther = ({ number, projectCode }: TakenNumber): boolean =>
    number !== newest.number || projectCode !== newest.projectCode;
  taken.value = { taker: callerName.value, numbers: [newest, ...takenNumbers.value.filter(isOther)] };
}
