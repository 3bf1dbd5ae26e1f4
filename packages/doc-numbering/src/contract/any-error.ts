import type * as errors from './numbering-error.js';
import { NumberingError as Base } from './numbering-error.js';
import type * as seriesErrors from './series-error.js';

type Classes = typeof errors & typeof seriesErrors;
type InstanceOf<Class> = Class extends new (
  ...facts: never
) => infer One
  ? One extends Base
    ? One
    : never
  : never;

/**
 * Any error of this package: a check of `code` narrows it to one, with its facts, such as the `limit` of
 * EXHAUSTED. `message` is for logs. `retryable`: the same request, sent again with the same key, can succeed without
 * human intervention.
 */
export type NumberingError = { [Name in keyof Classes]: InstanceOf<Classes[Name]> }[keyof Classes];

/** `instanceof NumberingError` also matches errors of another copy of this package; `code` distinguishes them. */
export const NumberingError = Base as object as {
  /** Whether it is an error of this package, by this copy or another. */
  [Symbol.hasInstance](value: unknown): value is NumberingError;
};
