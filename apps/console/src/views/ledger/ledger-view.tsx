import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { PageHead } from '../../parts/page-head.js';
import { roles } from '../../session/identity.js';
import { ExportButton } from './export-button.js';
import { ImportNumbers } from './import-numbers.js';
import { conditionsOf, LedgerFilter } from './ledger-filter.js';
import { LedgerList } from './ledger-list.js';
import { FoundNumbers, SearchField } from './ledger-search.js';
import { NumberMatches } from './number-matches.js';
import { NumberPage } from './number-page.js';
import { Reconcile } from './reconcile.js';
import { TakeNumber } from './take-number.js';

export function LedgerView({ number }: { readonly number?: string }) {
  // Not that of the address, which is ahead while the file of the next view is loading.
  const { query } = useRoute();
  const [revision, setRevision] = useState(0);
  if (number !== undefined && number !== '') {
    return query.project === undefined ? (
      <NumberMatches key={number} number={number} />
    ) : (
      <NumberPage key={`${query.project} ${number}`} number={number} projectCode={query.project} />
    );
  }
  const conditions = conditionsOf(query);
  const { text } = conditions;
  const changed = (): void => setRevision((before) => before + 1);
  return (
    <>
      <PageHead
        title="Ledger"
        lede="Every number ever taken has a row here, whatever happened to it, so none is missing."
      >
        <ExportButton conditions={conditions} />
      </PageHead>
      <div class="stack">
        <section class="panel stack tight">
          <SearchField conditions={conditions} />
          <LedgerFilter conditions={conditions} />
        </section>
        {text !== undefined && <FoundNumbers conditions={{ ...conditions, text }} revision={revision} />}
        {roles.value.has('clerk') && <TakeNumber conditions={conditions} onDone={changed} />}
        {text === undefined && <LedgerList conditions={conditions} revision={revision} />}
        {roles.value.has('admin') && (
          <Reconcile key={conditions.projectCode} projectCode={conditions.projectCode} />
        )}
        {roles.value.has('admin') && <ImportNumbers onDone={changed} />}
      </div>
    </>
  );
}
