import { toBase62, toCrockford, toHex } from '@solegate/tsid-core';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Bits } from '../../charts/bits.js';
import { CopyButton } from '../../parts/copy-button.js';
import { DataTable } from '../../parts/data-table.js';
import { TextField } from '../../parts/field.js';
import { Form } from '../../parts/form.js';
import { Moment } from '../../parts/moment.js';
import { Failure, Notice, Progress } from '../../parts/notice.js';
import { client } from '../../session/gateway-client.js';
import { useAction } from '../../session/use-action.js';
import { useAnswer } from '../../session/use-answer.js';
import { useLateRoute } from '../../session/use-late-route.js';
import { type Reading, readingsOf } from './readings.js';

/** Decodes an ID in any spelling: when it was generated, on which node, and who held that node. */
export function IdReader({ text }: { readonly text: string }) {
  const { route } = useLocation();
  const [typed, setTyped] = useState(text);
  const { error, isRunning, run } = useAction();
  const routeTo = useLateRoute();
  // Before the next key event: after the next paint it would undo what was typed in the meantime.
  useLayoutEffect(() => setTyped(text), [text]);
  const readings = readingsOf(text, Date.now());
  const make = async (): Promise<string> => {
    const {
      ids: [id = ''],
    } = await client.value.generateTsids({ count: 1 });
    return addressOf(id);
  };
  return (
    <section class="panel stack">
      <h2>Inspect an ID</h2>
      <Form class="row end" onSubmit={() => route(addressOf(typed))}>
        <TextField label="An ID in any spelling" value={typed} onValue={setTyped} isRequired isMono />
        <button type="submit" class="primary">
          Decode
        </button>
        <button type="button" disabled={isRunning} onClick={() => void run(() => routeTo(make))}>
          Generate
        </button>
      </Form>
      <Failure error={error} />
      {text !== '' && readings.length === 0 && (
        <p>
          <span class="mono">{text}</span> is not an ID in any spelling: decimal, Crockford base 32, base 62
          or hexadecimal.
        </p>
      )}
      {readings.map((reading) => (
        <OneReading key={`${reading.spelling} ${reading.id}`} reading={reading} />
      ))}
    </section>
  );
}

function addressOf(id: string): string {
  return `/nodes/${encodeURIComponent(id.trim())}`;
}

function OneReading({
  reading: { spelling, id, time, node, sequence, isLikely },
}: {
  readonly reading: Reading;
}) {
  const value = BigInt(id);
  const spellings = [
    { name: 'decimal', text: id },
    { name: 'Crockford base 32', text: toCrockford(value) },
    { name: 'base 62', text: toBase62(value) },
    { name: 'hexadecimal', text: toHex(value) },
  ];
  return (
    <section class="stack tight" aria-label={`Read as ${spelling}`}>
      <h3>Read as {spelling}</h3>
      {!isLikely && (
        <Notice kind="limit">Probably not an ID: it would have been generated at an unlikely time.</Notice>
      )}
      <Bits id={id} parts={{ time: time.toISOString(), node, sequence }} />
      {isLikely && <Holder id={id} node={node} />}
      <DataTable
        caption="The same ID in every spelling"
        columns={[
          { title: 'Spelling', cell: (row: (typeof spellings)[number]) => row.name },
          {
            title: 'Text',
            cell: (row) => (
              <span class="with-copy">
                <code>{row.text}</code> <CopyButton text={row.text} what={`the ${row.name} spelling`} />
              </span>
            ),
          },
        ]}
        rows={spellings}
        keyOf={({ name }) => name}
        empty=""
      />
    </section>
  );
}

function Holder({ id, node }: Pick<Reading, 'id' | 'node'>) {
  const parts = useAnswer((client) => client.tsid({ id }), [id]);
  if (parts.value === undefined) return <Progress of={parts} />;
  const { holder } = parts.value;
  if (holder === null) {
    return <p class="quiet">The holder of node {node} at that time is unknown or not visible to you.</p>;
  }
  return (
    <p>
      Node {node} was held by <span class="mono">{holder.holder}</span> from <Moment iso={holder.heldFrom} />{' '}
      to <Moment iso={holder.heldUntil} />.
    </p>
  );
}
