import { useState } from 'preact/hooks';
import { type MapNode, NodeMap } from '../../charts/node-map.js';
import { DataTable } from '../../parts/data-table.js';
import { TextField } from '../../parts/field.js';
import { count, countOf } from '../../parts/figures.js';
import { Form } from '../../parts/form.js';
import { Moment } from '../../parts/moment.js';
import { Notice, Progress } from '../../parts/notice.js';
import type { Result } from '../../session/gateway-client.js';
import { useAnswer } from '../../session/use-answer.js';

type FleetNode = Result<'nodeFleet'>['nodes'][number];

const READ_EVERY_MS = 2_000;
/** Until the map says that it is out of date. */
const ANSWER_WITHIN_MS = 3_000;
const STATE_WORDS: Readonly<Record<MapNode['state'], string>> = {
  FREE: 'free',
  HELD: 'held',
  QUARANTINED: 'in quarantine',
};
const LEGEND = [
  { look: 'mine', text: 'this gateway' },
  { look: 'held', text: 'held' },
  { look: 'free', text: 'free' },
  { look: 'quarantined', text: 'in quarantine' },
];

/** All node IDs and their holders according to Redis, refreshed every two seconds. */
export function Fleet() {
  const fleet = useAnswer((client) => client.nodeFleet({}, { timeoutMs: ANSWER_WITHIN_MS }), [], {
    everyMs: READ_EVERY_MS,
  });
  const [chosen, setChosen] = useState<number>();
  // Avoids re-rendering a thousand hidden rows every two seconds.
  const [isTableOpen, setTableOpen] = useState(false);
  const { value } = fleet;
  if (value === undefined) {
    return <Progress of={fleet} />;
  }
  const used = value.nodes.filter(({ holder }) => holder !== null);
  return (
    <section class="panel stack">
      <div class="row">
        <h2>
          {count(value.heldNodeCount)} of {count(value.nodeCount)} nodes{' '}
          {fleet.error === undefined ? 'are' : 'were'} held
        </h2>
        <Legend />
      </div>
      <Progress of={fleet} />
      {fleet.error !== undefined && (
        <p>
          This is how it was at <Moment iso={value.readAt} />.
        </p>
      )}
      {value.quarantineLeftMs > 0 && (
        <Notice kind="limit">
          Redis lost its data: no new node is granted for {Math.ceil(value.quarantineLeftMs / 1_000)} s.
        </Notice>
      )}
      <NodeMap nodes={value.nodes} chosen={chosen} onChoose={setChosen} />
      <Form class="row end" onSubmit={() => undefined}>
        <TextField
          label={`Node, 0 to ${value.nodeCount - 1}`}
          type="number"
          value={chosen === undefined ? '' : String(chosen)}
          onValue={(text) => setChosen(text === '' ? undefined : Number(text))}
        />
        <ChosenNode node={chosen === undefined ? undefined : value.nodes[chosen]} />
      </Form>
      <details onToggle={({ currentTarget }) => setTableOpen(currentTarget.open)}>
        <summary>Show as table: {countOf(used.length, 'node')} used so far</summary>
        {isTableOpen && <NodeTable nodes={used} />}
      </details>
    </section>
  );
}

function Legend() {
  return (
    <ul class="row small quiet legend" aria-label="Legend">
      {LEGEND.map(({ look, text }) => (
        <li key={look} class="row">
          <svg class="node-map" viewBox="0 0 12 12" aria-hidden="true">
            <rect class={look} width="12" height="12" rx="2" />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}

function ChosenNode({ node }: { readonly node: FleetNode | undefined }) {
  if (node === undefined) return <p class="quiet">Select a node on the map, or enter its number.</p>;
  return (
    <p role="status">
      Node {node.node} is {STATE_WORDS[node.state]}
      {node.holder && (
        <>
          {node.state === 'HELD' ? ' by ' : ', last held by '}
          <span class="mono">{node.holder}</span>
        </>
      )}
      {node.secondsLeft !== null && `, ${Math.ceil(node.secondsLeft)} s left unless renewed`}
      {node.holder === null && ', and was never used'}.
    </p>
  );
}

function NodeTable({ nodes }: { readonly nodes: readonly FleetNode[] }) {
  return (
    <DataTable
      caption="Nodes used so far"
      columns={[
        { title: 'Node', cell: (row: FleetNode) => row.node, isNumber: true },
        { title: 'State', cell: (row) => STATE_WORDS[row.state] },
        { title: 'Holder', cell: (row) => <span class="mono">{row.holder}</span> },
        { title: 'Held from', cell: (row) => <Moment iso={row.heldFrom} /> },
        { title: 'Until', cell: (row) => <Moment iso={row.heldUntil} /> },
      ]}
      rows={nodes}
      keyOf={({ node }) => node}
      empty="No nodes used yet."
    />
  );
}
