import { useState } from 'preact/hooks';
import { part } from '../../parts/figures.js';
import { Failure, Notice } from '../../parts/notice.js';
import { client, type Result } from '../../session/gateway-client.js';

type Finding = Result<'reconcileDocumentNumbers'>[number];

/** Looks through the whole ledger for what a person should see, and explains what it finds. */
export function Reconcile({ projectCode }: { readonly projectCode: string | undefined }) {
  const [findings, setFindings] = useState<readonly Finding[]>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const look = async (): Promise<void> => {
    setRunning(true);
    setError(undefined);
    try {
      const input = projectCode === undefined ? {} : { projectCode };
      setFindings(await client.value.reconcileDocumentNumbers({ input }));
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <section class="panel stack tight">
      <div class="row">
        <h2>Is anything missing?</h2>
        <button type="button" disabled={isRunning} onClick={() => void look()}>
          Look through the ledger
        </button>
      </div>
      <p class="quiet small">
        Every number from the first to the last must have a row. Reservations whose time is over are cancelled
        by the way.
      </p>
      <Failure error={error} />
      <div role="status" class="stack tight">
        {findings?.length === 0 && (
          <Notice kind="good">
            All is well: none is missing, none came twice, and no format is nearly full.
          </Notice>
        )}
        {findings?.map((finding, index) => (
          <Notice key={index} kind={isBroken(finding) ? 'broken' : 'limit'}>
            {explain(finding)}
          </Notice>
        ))}
      </div>
    </section>
  );
}

/** These break a promise; the others are near a limit, or were set right. */
function isBroken({ kind }: Finding): boolean {
  return kind === 'HOLE' || kind === 'REGRESSION';
}

function explain({
  kind,
  counter,
  count,
  example,
  first,
  last,
  lastNumber,
  highWaterMark,
  widthUsed,
}: Finding) {
  switch (kind) {
    case 'HOLE':
      return `${counter}: numbers ${first} to ${last} have no row. Find out who removed them; skipping records them as cancelled.`;
    case 'REGRESSION':
      return `${counter} stands at ${lastNumber}, but ${highWaterMark} was issued once: the database was set back. Skip to ${highWaterMark} on the counters view before the next number is issued, or accept it there.`;
    case 'WIDTH':
      return `${counter}: ${part(widthUsed ?? 0)} of the width of its format is used. Save a format with more digits.`;
    case 'UNATTACHED':
      return `${count} old numbers have no document, ${example} among them.`;
    case 'EXPIRED_RESERVATIONS':
      return `${count} reservations whose time was over are cancelled now.`;
    case 'MARKS_UNREAD':
      return `Redis gave no answer: ${count} counters were not compared with what it remembers of them.`;
    default:
      return `${kind}: ${counter ?? ''}`;
  }
}
