import type { ComponentChildren } from 'preact';
import { reasonOf, wordsOf } from '../session/failure.js';

interface NoticeProps {
  /** `limit`: a limit is near; `broken`: a promise was not kept, or a call failed. */
  readonly kind?: 'plain' | 'good' | 'limit' | 'broken';
  readonly children: ComponentChildren;
}

export function Notice({ kind = 'plain', children }: NoticeProps) {
  return <div class={`notice ${kind}`}>{children}</div>;
}

/** Shows why a request failed, with a retry button. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  if (error === undefined) return null;
  const reason = reasonOf(error);
  return (
    <div class="notice limit row" role="alert">
      <span>
        {wordsOf(error)} {reason && <code>{reason}</code>}
      </span>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
