import { useState } from 'preact/hooks';

const COLUMN_COUNT = 32;
const CELL = 16;
const GAP = 2;
const SIDE = CELL - GAP;
const CORNER = 2;

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

/**
 * All nodes of the fleet, 32 to a row, starting with 0 at the top left. Cells of the same look form one shape, so that
 * the browser draws a handful of elements instead of a thousand. A table and a field serve keyboard users.
 */
export function NodeMap({ nodes, chosen, onChoose }: NodeMapProps) {
  const [pointed, setPointed] = useState<number>();
  const rowCount = Math.ceil(nodes.length / COLUMN_COUNT);
  const held = nodes.filter(({ state }) => state === 'HELD').length;
  const nodeAt = ({ currentTarget, clientX, clientY }: MouseEvent): number | undefined => {
    const { left, top, width, height } = (currentTarget as SVGElement).getBoundingClientRect();
    const column = Math.floor(((clientX - left) / width) * COLUMN_COUNT);
    const row = Math.floor(((clientY - top) / height) * rowCount);
    const node = row * COLUMN_COUNT + column;
    return column >= 0 && column < COLUMN_COUNT && node in nodes ? node : undefined;
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field next to the map is the keyboard equivalent
    <svg
      class="node-map"
      viewBox={`0 0 ${COLUMN_COUNT * CELL} ${rowCount * CELL}`}
      role="img"
      aria-label={`${nodes.length} nodes, ${held} of them held`}
      onPointerMove={(event) => setPointed(nodeAt(event))}
      onPointerLeave={() => setPointed(undefined)}
      onClick={(event) => {
        const node = nodeAt(event);
        if (node !== undefined) onChoose(node);
      }}
    >
      {[...shapesOf(nodes)].map(([look, shape]) => (
        <path key={look} class={look} d={shape} />
      ))}
      {pointed !== undefined && (
        <rect key={pointed} class="pointed-at" {...placeOf(pointed)} width={SIDE} height={SIDE} rx={CORNER}>
          <title>
            Node {pointed}: {nodes[pointed]?.holder ?? 'never used'}
          </title>
        </rect>
      )}
      {chosen !== undefined && chosen in nodes && (
        <rect class="looked-at" {...placeOf(chosen)} width={SIDE} height={SIDE} rx={CORNER} />
      )}
    </svg>
  );
}

const LOOKS: Readonly<Record<MapNode['state'], string>> = {
  FREE: 'free',
  HELD: 'held',
  QUARANTINED: 'quarantined',
};

/** One shape per look, made of all its cells. */
function shapesOf(nodes: readonly MapNode[]): ReadonlyMap<string, string> {
  const shapes = new Map<string, string>();
  for (const { node, state, isMine } of nodes) {
    const look = isMine ? 'mine' : LOOKS[state];
    const { x, y } = placeOf(node);
    shapes.set(look, `${shapes.get(look) ?? ''}M${x + CORNER} ${y}${CELL_SHAPE}`);
  }
  return shapes;
}

/** A square with rounded corners, clockwise from the start of its upper edge. */
const EDGE = SIDE - 2 * CORNER;
const CELL_SHAPE = [
  [`h${EDGE}`, `${CORNER} ${CORNER}`],
  [`v${EDGE}`, `${-CORNER} ${CORNER}`],
  [`h${-EDGE}`, `${-CORNER} ${-CORNER}`],
  [`v${-EDGE}`, `${CORNER} ${-CORNER}`],
]
  .map(([line, corner]) => `${line}a${CORNER} ${CORNER} 0 0 1 ${corner}`)
  .join('');

function placeOf(node: number) {
  return { x: (node % COLUMN_COUNT) * CELL + GAP / 2, y: Math.floor(node / COLUMN_COUNT) * CELL + GAP / 2 };
}
