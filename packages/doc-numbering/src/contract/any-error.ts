import type { ErrorBase, ErrorOf } from '@solegate/postgres-infra';
import type * as feedErrors from './feed-error.js';
import type * as errors from './numbering-error.js';
import { NumberingError as Base } from './numbering-error.js';
import type * as seriesErrors from './series-error.js';

/**
 * Any error of this package. A check of `code` gives the compiler its class, and so its facts, such as the `limit` of
 * EXHAUSTED. `message` is for logs. `retryable`: the same request, sent again with the same key, can succeed without
 * human intervention.
 */
export type NumberingError = ErrorOf<typeof errors & typeof seriesErrors & typeof feedErrors, Base>;

/** `instanceof NumberingError` also matches errors of another copy of this package; `code` distinguishes them. */
export const NumberingError = Base as object as ErrorBase<NumberingError>;
