import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Progress } from '../../parts/notice.js';
import { addressOf } from '../../parts/number-link.js';
import { PageHead } from '../../parts/page-head.js';
import { usePages } from '../../parts/pages.js';
import { LedgerTable } from './ledger-list.js';

/** All numbers with one text, of which each project can have one; if there is only one, its page. */
export function NumberMatches({ number }: { readonly number: string }) {
  const { route } = useLocation();
  const pages = usePages((client, page) => client.documentNumbers({ ...page, filter: { number } }), {
    first: 50,
    query: number,
  });
  const [first, second] = pages.value ?? [];
  const only = pages.isWhole && second === undefined ? first?.project?.code : undefined;
  useEffect(() => {
    if (only !== undefined) route(addressOf(number, only), true);
  }, [only]);
  return (
    <>
      <PageHead title={number} lede="Every project in which this number was printed.">
        <a href="/ledger">Full ledger</a>
      </PageHead>
      <section class="panel stack tight">
        <Progress of={pages} />
        {pages.value && (
          <LedgerTable
            rows={pages.value}
            empty="There is no such number in your projects. Enter it exactly as it is printed."
          />
        )}
        {!pages.isWhole && pages.buttons}
      </section>
    </>
  );
}
