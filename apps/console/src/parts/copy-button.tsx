import { useState } from 'preact/hooks';

const SAID_MS = 1_500;

/** Copies a text; `what` names it for screen readers. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  return (
    <button type="button" class="copy" title={`Copy ${what}`} onClick={() => void copy().catch(() => {})}>
      <svg viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5">
        {isCopied ? <path d="M3 8l4 4 6-8" /> : <path d="M5 5V2h9v9h-3M2 5h9v9H2z" />}
      </svg>
      <span class="unseen">{isCopied ? `Copied ${what}` : `Copy ${what}`}</span>
    </button>
  );
}
