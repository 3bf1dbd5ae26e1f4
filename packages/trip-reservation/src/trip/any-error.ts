import type { ErrorBase, ErrorOf } from '@solegate/postgres-infra';
import type * as errors from './errors.js';
import { TripReservationError as Base } from './errors.js';

/** Any error of this package. A check of `code` gives the compiler its class, and so its facts, such as its `field`. */
export type TripReservationError = ErrorOf<typeof errors, Base>;

/** `instanceof TripReservationError` also matches errors of another copy of this package; `code` distinguishes them. */
export const TripReservationError = Base as object as ErrorBase<TripReservationError>;
