import { Failure } from '../../parts/notice.js';
import { RefusedRequest } from '../../session/failure.js';
import { credentials } from '../../session/identity.js';
import { useAction } from '../../session/use-action.js';
import type { LedgerConditions } from './ledger-filter.js';

/** Conditions that an export does not have. */
const NOT_EXPORTED = ['text', 'status', 'actorId'] as const;

/** Downloads the ledger as a file. The export is separate from GraphQL, so it sends its own credentials. */
export function ExportButton({ conditions }: { readonly conditions: LedgerConditions }) {
  const { error, isRunning, run } = useAction();
  if (NOT_EXPORTED.some((name) => conditions[name] !== undefined)) {
    return <span class="quiet small">To export as CSV, clear Search, Taken by and Status.</span>;
  }
  return (
    <>
      <button type="button" disabled={isRunning} onClick={() => void run(() => download(conditions))}>
        Export as CSV
      </button>
      <Failure error={error} />
    </>
  );
}

async function download(conditions: LedgerConditions): Promise<void> {
  const query = new URLSearchParams(Object.entries(conditions));
  const response = await fetch(`/export/document-numbers.csv?${query}`, { headers: credentials() });
  if (!response.ok) throw await RefusedRequest.of(response);
  const file = await response.blob().catch(() => {
    throw new Error('The download ended before the last line; nothing was saved. Export again.');
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = 'document-numbers.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}
