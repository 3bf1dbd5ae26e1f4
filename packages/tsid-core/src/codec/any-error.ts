import type { ErrorBase, ErrorOf } from './error-identity.js';
import type * as errors from './tsid-error.js';
import { TsidError as Base } from './tsid-error.js';

/**
 * Any error of the part that needs no store. A check of `code` gives the compiler its class, and so its facts, such as the
 * `reason` of NODE_UNAVAILABLE. `retryable`: the same call can succeed later without any change.
 */
export type TsidError = ErrorOf<typeof errors, Base>;

/** `instanceof TsidError` also matches errors of another copy of this package; `code` distinguishes them. */
export const TsidError = Base as object as ErrorBase<TsidError>;
