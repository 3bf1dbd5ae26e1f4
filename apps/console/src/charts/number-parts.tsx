interface NumberPartsProps {
  readonly number: string;
  /** The parts of the number, in the order of most formats. */
  readonly parts: readonly { readonly name: string; readonly text: string | null }[];
  readonly sequence: number;
}

interface Piece {
  readonly text: string;
  readonly name?: string;
}

/** A number split into the parts of its format, each with its name below. */
export function NumberParts({ number, parts, sequence }: NumberPartsProps) {
  return (
    <div class="number-parts" role="img" aria-label={number}>
      {piecesOf(number, parts, sequence).map(({ text, name }, index) => (
        <span key={index} class={name === undefined ? 'between' : 'piece'}>
          <span class="mono">{text}</span>
          {name && <span class="quiet small">{name}</span>}
        </span>
      ))}
    </div>
  );
}

/** Finds the parts from left to right, and the sequence at the end; the rest are separators. */
function piecesOf(number: string, parts: NumberPartsProps['parts'], sequence: number): readonly Piece[] {
  const [, head = number, tail] = new RegExp(`^(.*?)(0*${sequence})$`, 'u').exec(number) ?? [];
  const pieces: Piece[] = [];
  let rest = head;
  while (rest !== '') {
    const found = parts.find(({ text }) => text !== null && text !== '' && rest.startsWith(text));
    const length = found?.text?.length ?? 1;
    const text = rest.slice(0, length);
    const before = pieces.at(-1);
    if (found === undefined && before !== undefined && before.name === undefined) {
      pieces[pieces.length - 1] = { text: before.text + text };
    } else {
      pieces.push(found === undefined ? { text } : { text, name: found.name });
    }
    rest = rest.slice(length);
  }
  return tail === undefined ? pieces : [...pieces, { text: tail, name: 'sequence' }];
}
