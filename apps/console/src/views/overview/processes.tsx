import { DataTable } from '../../parts/data-table.js';
import { Moment } from '../../parts/moment.js';
import { Progress } from '../../parts/notice.js';
import type { Result } from '../../session/gateway-client.js';
import { useAnswer } from '../../session/use-answer.js';

type Lease = Result<'nodeFleet'>['nodes'][number];

const READ_EVERY_MS = 5_000;

/** All processes with a node, as the store of the leases knows them: one row for each node. */
export function Processes({ mine }: { readonly mine: string }) {
  const fleet = useAnswer((client) => client.nodeFleet({ state: 'HELD' }), [], { everyMs: READ_EVERY_MS });
  return (
    <section class="panel stack tight">
      <h2>All processes</h2>
      <Progress of={fleet} />
      {fleet.value && fleet.error === undefined && (
        <DataTable
          caption="Processes and their nodes"
          columns={[
            {
              title: 'Process',
              cell: ({ holder }: Lease) => (
                <>
                  <span class="mono">{holder}</span>{' '}
                  {holder === mine && <span class="tag chosen">answers now</span>}
                </>
              ),
            },
            {
              title: 'Node',
              cell: ({ node }) => <a href="/nodes">{node}</a>,
              isNumber: true,
            },
            { title: 'Held from', cell: ({ heldFrom }) => <Moment iso={heldFrom} /> },
            { title: 'Mints until, unless renewed', cell: ({ heldUntil }) => <Moment iso={heldUntil} /> },
          ]}
          rows={fleet.value.nodes.toSorted(
            (one, other) => Number(other.holder === mine) - Number(one.holder === mine),
          )}
          keyOf={({ node }) => node}
          empty="No process holds a node."
        />
      )}
      <p class="quiet small">
        A process of several databases has a node for each. One that lost its node serves numbers and trips,
        but is not listed.
      </p>
    </section>
  );
}
