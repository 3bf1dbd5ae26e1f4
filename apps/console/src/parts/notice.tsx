import type { ComponentChildren } from 'preact';
import { isSignedOut, reasonOf, wordsOf } from '../session/failure.js';
import { forgetToken, isDemo } from '../session/identity.js';
import type { Answer } from '../session/use-answer.js';

interface NoticeProps {
  /** `limit`: a limit is near; `broken`: a promise was not kept, or a call failed. */
  readonly kind?: 'plain' | 'good' | 'limit' | 'broken';
  readonly children: ComponentChildren;
}

export function Notice({ kind = 'plain', children }: NoticeProps) {
  return <div class={`notice ${kind}`}>{children}</div>;
}

/** Trying again cannot help. */
const ROLE_MISSING = 'ROLE_MISSING';

/** What a person can do about an error whose message is for programs. */
const REMEDIES: Readonly<Record<string, ComponentChildren>> = {
  NO_FORMAT: (
    <>
      This series has no format on that date. An administrator can save one under{' '}
      <a href="/formats">Formats</a>.
    </>
  ),
  [ROLE_MISSING]: isDemo
    ? 'This user may not do this. Choose another one above.'
    : 'Your token has no role that may do this. Whoever issues it can add one.',
  UNKNOWN_SERIES: (
    <>
      This project does not number this type. An administrator can define it under{' '}
      <a href="/counters">Counters</a>.
    </>
  ),
};

/** While an answer is awaited, says so; if it failed, why. */
export function Progress({ of: { value, error, reload } }: { readonly of: Answer<unknown> }) {
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  return value === undefined ? <p class="quiet">Loading …</p> : null;
}

/** Shows why a request failed, and a button for what can help: to sign in again, or to retry. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  if (error === undefined) return null;
  const reason = reasonOf(error);
  const remedy = REMEDIES[reason ?? ''];
  return (
    <div class="notice limit row" role="alert">
      <span>
        {remedy ?? (
          <>
            {wordsOf(error)} {reason && <code>{reason}</code>}
          </>
        )}
      </span>
      {isSignedOut(error) && !isDemo ? (
        <button type="button" onClick={forgetToken}>
          Sign in again
        </button>
      ) : (
        onRetry &&
        reason !== ROLE_MISSING && (
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        )
      )}
    </div>
  );
}
