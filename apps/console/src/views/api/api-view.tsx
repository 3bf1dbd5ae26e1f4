import { PageHead } from '../../parts/page-head.js';
import { Explorer } from './explorer.js';

export function ApiView() {
  return (
    <>
      <PageHead
        title="API"
        lede="GraphQL over POST at /graphql, subscriptions over server-sent events or WebSocket. This console uses the same API."
      />
      <Explorer />
    </>
  );
}
