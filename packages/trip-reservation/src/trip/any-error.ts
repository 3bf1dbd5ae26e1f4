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

/** Any error of this package: a check of `code` tells the compiler which one, and so its facts, such as its `field`. */
export type TripReservationError = { [Name in keyof Classes]: InstanceOf<Classes[Name]> }[keyof Classes];

/** `instanceof TripReservationError` also matches errors of another copy of this package; `code` distinguishes them. */
export const TripReservationError = Base as object as {
  [Symbol.hasInstance](value: unknown): value is TripReservationError;
};
