import { PageHead } from '../../parts/page-head.js';
import { Explorer } from './explorer.js';

export function ApiView() {
  return (
    <>
      <PageHead
        title="API"
        lede="GraphQL by POST at /graphql, subscriptions by server-sent events or WebSocket. Everything on these pages goes through it."
      />
      <Explorer />
    </>
  );
}
