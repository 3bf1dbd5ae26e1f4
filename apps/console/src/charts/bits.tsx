/** Layout of the 64 bits of an ID: milliseconds since the epoch, the node, the sequence in that millisecond. */
const WIDTHS = { time: 42, node: 10, sequence: 12 };
const BIT_COUNT = 64;

export interface IdParts {
  readonly time: string;
  readonly node: number;
  readonly sequence: number;
}

/** An ID split into its three parts, each in its own color with its value. */
export function Bits({ id, parts }: { readonly id: string; readonly parts: IdParts }) {
  const bits = BigInt(id).toString(2).padStart(BIT_COUNT, '0');
  const shown = [
    { name: 'time', text: parts.time, bits: bits.slice(0, WIDTHS.time) },
    { name: 'node', text: String(parts.node), bits: bits.slice(WIDTHS.time, WIDTHS.time + WIDTHS.node) },
    { name: 'sequence', text: String(parts.sequence), bits: bits.slice(-WIDTHS.sequence) },
  ];
  return (
    <dl class="bits">
      {shown.map(({ name, text, bits: part }) => (
        <div key={name} class={`part-${name}`}>
          <dt>
            {name} · {part.length} bits
          </dt>
          <dd class="value">{text}</dd>
          <dd class="mono">{part}</dd>
        </div>
      ))}
    </dl>
  );
}
