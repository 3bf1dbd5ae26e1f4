import { useState } from 'preact/hooks';
import { countOf, part } from '../../parts/figures.js';
import { Failure, Notice } from '../../parts/notice.js';
import { client, type Result } from '../../session/gateway-client.js';
import { useAction } from '../../session/use-action.js';

type Finding = Result<'reconcileDocumentNumbers'>['findings'][number];

/** Checks the ledger of a project, or of all, and explains each finding. */
export function Reconcile({ projectCode }: { readonly projectCode: string | undefined }) {
  const [findings, setFindings] = useState<readonly Finding[]>();
  const { error, isRunning, run } = useAction();
  const scope = projectCode === undefined ? 'all projects you may see' : `project ${projectCode}`;
  const look = async (): Promise<void> => {
    const input = projectCode === undefined ? {} : { projectCode };
    const { findings } = await client.value.reconcileDocumentNumbers({ input });
    setFindings(findings);
  };
  return (
    <section class="panel stack tight">
      <div class="row">
        <h2>Consistency check</h2>
        <button type="button" disabled={isRunning} onClick={() => void run(look)}>
          Check the ledger
        </button>
      </div>
      <p class="quiet small">
        Every number from the first to the last must have a row. Expired reservations are cancelled during the
        check.
      </p>
      <Failure error={error} />
      <div role="status" class="stack tight">
        {findings?.length === 0 && (
          <Notice kind="good">
            No problems found in {scope}: no gaps, no duplicates, and no format is 90% full.
          </Notice>
        )}
        {findings !== undefined && findings.length > 0 && (
          <p>
            {countOf(findings.length, 'finding')} in {scope}:
          </p>
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

/** These break a promise; the others are near a limit or already corrected. */
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
      return `${counter}: numbers ${first} to ${last} have no row. Find out who removed them.`;
    case 'REGRESSION':
      return `${counter} is at ${lastNumber}, but ${highWaterMark} was already issued: the database was rolled back. Before the next number is issued, skip to ${highWaterMark} in the counters view with a business date in that period, or accept the counter there.`;
    case 'WIDTH':
      return `${counter}: ${part(widthUsed ?? 0)} of its format's width is used. Save a format with more digits.`;
    case 'VOID_MISMATCH':
      return `${counter}: void without saying why, or the reverse: ${countOf(count ?? 0, 'number')}, such as ${example}. Find out who changed them.`;
    case 'UNATTACHED':
      return `Without a document: ${countOf(count ?? 0, 'old number')}, such as ${example}.`;
    case 'EXPIRED_RESERVATIONS':
      return `Cancelled: ${countOf(count ?? 0, 'expired reservation')}.`;
    case 'MARKS_UNREAD':
      return `Redis did not respond. Not compared with its mark: ${countOf(count ?? 0, 'counter')}.`;
    default:
      return `${kind}: ${counter ?? ''}`;
  }
}
