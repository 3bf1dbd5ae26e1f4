import { PageHead } from '../../parts/page-head.js';
import { roles } from '../../session/identity.js';
import { Fleet } from './fleet.js';
import { IdReader } from './id-reader.js';

export function NodesView({ id = '' }: { readonly id?: string }) {
  return (
    <>
      <PageHead
        title="Nodes"
        lede="Each process that generates IDs leases a node of its own, so no two ever generate the same ID."
      />
      <div class="columns">
        <IdReader text={id} />
        {roles.value.has('admin') ? (
          <Fleet />
        ) : (
          <p class="quiet">The fleet map is visible to administrators only.</p>
        )}
      </div>
    </>
  );
}
