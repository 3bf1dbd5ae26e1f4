import { useLayoutEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Bits } from '../../charts/bits.js';
import { CopyButton } from '../../parts/copy-button.js';
import { DataTable } from '../../parts/data-table.js';
import { TextField } from '../../parts/field.js';
import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import { client, type Result } from '../../session/gateway-client.js';
import { useAnswer } from '../../session/use-answer.js';

type Reading = Result<'tsidReadings'>[number];

const SPELLING_WORDS: Readonly<Record<Reading['spelling'], string>> = {
  DECIMAL: 'decimal',
  CROCKFORD: 'Crockford base 32',
  BASE62: 'base 62',
  HEX: 'hexadecimal',
};

/** Decodes an ID in any spelling: when it was generated, on which node, and who held that node. */
export function IdReader({ text }: { readonly text: string }) {
  const { route } = useLocation();
  const [typed, setTyped] = useState(text);
  const [failure, setFailure] = useState<unknown>();
  // Before the next key event: after the next paint it would undo what was typed in the meantime.
  useLayoutEffect(() => setTyped(text), [text]);
  const readings = useAnswer(
    async (asker) => (text === '' ? [] : asker.tsidReadings({ text: text.slice(0, 100) })),
    [text],
  );
  const go = (id: string): void => route(`/nodes/${encodeURIComponent(id.trim())}`);
  const make = async (): Promise<void> => {
    setFailure(undefined);
    try {
      const [id] = await client.value.generateTsids({ count: 1 });
      if (id !== undefined) go(id);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <section class="panel stack">
      <h2>Inspect an ID</h2>
      <form
        class="row end"
        onSubmit={(event) => {
          event.preventDefault();
          go(typed);
        }}
      >
        <TextField label="An ID in any spelling" value={typed} onValue={setTyped} isRequired isMono />
        <button type="submit" class="primary">
          Decode
        </button>
        <button type="button" onClick={() => void make()}>
          Generate one
        </button>
      </form>
      <Failure error={failure} />
      <Failure error={readings.error} onRetry={readings.reload} />
      {text !== '' && readings.value?.length === 0 && !readings.isAsking && (
        <p>
          <span class="mono">{text}</span> is not an ID in any spelling: decimal, Crockford base 32, base 62
          or hexadecimal.
        </p>
      )}
      {text !== '' &&
        readings.value?.map((reading) => <OneReading key={reading.spelling} reading={reading} />)}
    </section>
  );
}

function OneReading({ reading: { spelling, tsid } }: { readonly reading: Reading }) {
  const spellings = [
    { name: 'decimal', text: tsid.id },
    { name: 'Crockford base 32', text: tsid.crockford },
    { name: 'base 62', text: tsid.base62 },
    { name: 'hexadecimal', text: tsid.hex },
  ];
  return (
    <section class="stack tight" aria-label={`Read as ${SPELLING_WORDS[spelling]}`}>
      <h3>Read as {SPELLING_WORDS[spelling]}</h3>
      <Bits id={tsid.id} parts={tsid} />
      <p>
        {tsid.holder ? (
          <>
            Node {tsid.node} was held by <span class="mono">{tsid.holder.holder}</span> from{' '}
            <Moment iso={tsid.holder.heldFrom} /> to <Moment iso={tsid.holder.heldUntil} />.
          </>
        ) : (
          <span class="quiet">
            The holder of node {tsid.node} at that time is unknown or not visible to you.
          </span>
        )}
      </p>
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
