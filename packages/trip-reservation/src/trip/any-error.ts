import type * as errors from './errors.js';
import { TripReservationError as Base } from './errors.js';

type Classes = typeof errors;
type InstanceOf<Class> = Class extends new (
  ...facts: never
) => infer One
  ? One extends Base
    ? One
    : never
  : never;

/** Any error of this package: a check of `code` narrows it to one, with its facts, such as its `field`. */
export type TripReservationError = { [Name in keyof Classes]: InstanceOf<Classes[Name]> }[keyof Classes];

/** `instanceof TripReservationError` also matches errors of another copy of this package; `code` distinguishes them. */
export const TripReservationError = Base as object as {
  /** Whether it is an error of this package, by this copy or another. */
  [Symbol.hasInstance](value: unknown): value is TripReservationError;
};
