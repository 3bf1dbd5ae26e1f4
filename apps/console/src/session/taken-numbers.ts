import { effect, signal } from '@preact/signals';
import { callerName, isKnown } from './identity.js';

/** A number that the user took. */
export interface TakenNumber {
  readonly number: string;
  readonly projectCode: string;
  /** An open reservation. */
  readonly held?: { readonly token: string; readonly expiresAt: string };
  /** Its state, in words. */
  readonly words: string;
}

/**
 * What the user has taken since the page was opened, newest first. It outlasts the view, since nothing else has the
 * tokens of open reservations.
 */
export const takenNumbers = signal<readonly TakenNumber[]>([]);

let taker = callerName.value;

effect(() => {
  // A user whose token expires keeps their reservations until somebody else signs in.
  if (!isKnown.value || callerName.value === taker) return;
  taker = callerName.value;
  takenNumbers.value = [];
});

/** Adds a number, or replaces what is known about it. */
export function addTaken(taken: TakenNumber): void {
  const isOther = ({ number, projectCode }: TakenNumber): boolean =>
    number !== taken.number || projectCode !== taken.projectCode;
  takenNumbers.value = [taken, ...takenNumbers.value.filter(isOther)];
}
