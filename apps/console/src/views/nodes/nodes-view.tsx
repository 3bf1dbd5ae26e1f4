import { PageHead } from '../../parts/page-head.js';
import { roles } from '../../session/identity.js';
import { Fleet } from './fleet.js';
import { IdReader } from './id-reader.js';

export function NodesView({ id = '' }: { readonly id?: string }) {
  return (
    <>
      <PageHead
        title="Nodes"
        lede="Each process that makes IDs holds a node of its own, leased from Redis; so no two of them ever make the same ID."
      />
      <div class="columns">
        <IdReader text={id} />
        {roles.value.has('admin') ? (
          <Fleet />
        ) : (
          <p class="quiet">The map of the fleet is for administrators.</p>
        )}
      </div>
    </>
  );
}
