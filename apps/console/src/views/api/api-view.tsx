import { ErrorBoundary, lazy } from 'preact-iso';
import { PageHead } from '../../parts/page-head.js';

/** The editor and the schema are heavier than everything else on the page: they come when this view is opened. */
const Explorer = lazy(() => import('./explorer.js').then((explorer) => explorer.Explorer));

export function ApiView() {
  return (
    <>
      <PageHead
        title="API"
        lede="GraphQL by POST at /graphql, subscriptions by server-sent events or WebSocket. Everything on these pages goes through it."
      />
      <ErrorBoundary>
        <Explorer />
      </ErrorBoundary>
    </>
  );
}
