import { memo } from 'preact/compat';

const COLUMN_COUNT = 32;
const CELL = 16;
const GAP = 2;

export interface MapNode {
  readonly node: number;
  readonly state: 'FREE' | 'HELD' | 'QUARANTINED';
  readonly isMine: boolean;
  readonly holder: string | null;
}

interface NodeMapProps {
  readonly nodes: readonly MapNode[];
  readonly chosen: number | undefined;
  readonly onChoose: (node: number) => void;
}

/** All nodes of the fleet, 32 to a row, from 0 at the top left. A table and a field stand beside it for the keyboard. */
export function NodeMap({ nodes, chosen, onChoose }: NodeMapProps) {
  const rowCount = Math.ceil(nodes.length / COLUMN_COUNT);
  const held = nodes.filter(({ state }) => state === 'HELD').length;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field beside the map does the same for the keyboard
    <svg
      class="node-map"
      viewBox={`0 0 ${COLUMN_COUNT * CELL} ${rowCount * CELL}`}
      role="img"
      aria-label={`${nodes.length} nodes, ${held} of them held`}
      onClick={({ target }) => {
        const node = (target as SVGElement).dataset.node;
        if (node !== undefined) onChoose(Number(node));
      }}
    >
      {nodes.map(({ node, state, isMine, holder }) => (
        <Cell key={node} node={node} look={isMine ? 'mine' : state} holder={holder} />
      ))}
      {chosen !== undefined && chosen < nodes.length && (
        <rect class="looked-at" {...placeOf(chosen)} width={CELL - GAP} height={CELL - GAP} rx={2} />
      )}
    </svg>
  );
}

type Look = MapNode['state'] | 'mine';
const CLASSES: Readonly<Record<Look, string>> = {
  FREE: 'free',
  HELD: 'held',
  QUARANTINED: 'quarantined',
  mine: 'mine',
};

/** Most of a thousand cells stay as they are when the map is read anew. */
const Cell = memo(
  ({
    node,
    look,
    holder,
  }: {
    readonly node: number;
    readonly look: Look;
    readonly holder: string | null;
  }) => (
    <rect
      class={CLASSES[look]}
      {...placeOf(node)}
      width={CELL - GAP}
      height={CELL - GAP}
      rx={2}
      data-node={node}
    >
      <title>
        Node {node}: {holder ?? 'never used'}
      </title>
    </rect>
  ),
);

function placeOf(node: number) {
  return { x: (node % COLUMN_COUNT) * CELL + GAP / 2, y: Math.floor(node / COLUMN_COUNT) * CELL + GAP / 2 };
}
