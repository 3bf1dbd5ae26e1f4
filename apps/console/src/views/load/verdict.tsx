import { countOf } from '../../parts/figures.js';
import { Notice } from '../../parts/notice.js';
import type { LoadProof } from './load-run.js';

/** One sentence on whether the promise was kept. */
export function Verdict({ proof }: { readonly proof: LoadProof }) {
  const { requestCount, answers, distinctCount, twice, missing, refusedCount } = proof;
  if (answers.length < requestCount) {
    return (
      <Notice>
        {answers.length} of {requestCount} answered …
      </Notice>
    );
  }
  if (twice.size > 0) {
    return (
      <Notice kind="broken">
        {countOf(twice.size, 'number')} issued more than once: {[...twice].join(', ')}.
      </Notice>
    );
  }
  const distinct = `${distinctCount} of ${requestCount} distinct`;
  if (refusedCount > 0) {
    const [refused] = answers.filter(({ refusal }) => refusal !== undefined);
    return (
      <Notice kind="limit">
        {distinct}; {refusedCount} refused: {refused?.refusal}
      </Notice>
    );
  }
  if (missing.length > 0) {
    return (
      <Notice>
        {distinct}; {missing.length} in between went to other callers of the series. The ledger shows them
        all.
      </Notice>
    );
  }
  return (
    <Notice kind="good">
      <strong>{distinct}, none missing.</strong>
    </Notice>
  );
}
