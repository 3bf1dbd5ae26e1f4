import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAnswer } from '../session/use-answer.js';
import { type CodeList, readCodes } from './catalog.js';
import { Choice, TextField } from './field.js';

interface CodeChoiceProps {
  readonly list: CodeList;
  readonly label: string;
  readonly value: string;
  readonly onValue: (code: string) => void;
  /** What it says if no code is chosen. Default: one always is. */
  readonly none?: string;
}

/** One of the caller's codes, from a list if it has them all, otherwise by typing, which the gateway completes. */
export function CodeChoice(props: CodeChoiceProps) {
  const { list, label, value, onValue, none } = props;
  if (!list.isWhole) return <TypedCode {...props} />;
  const options = list.codes.map(({ code }) => ({ value: code, text: code }));
  return (
    <Choice
      label={label}
      value={value}
      onValue={onValue}
      hint={list.codes.find(({ code }) => code === value)?.name}
      options={none === undefined ? options : [{ value: '', text: none }, ...options]}
    />
  );
}

/** While the text is no code, none is chosen, so that nothing happens to a code that the field does not show. */
function TypedCode({ list, label, value, onValue, none }: CodeChoiceProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const passedOn = useRef(value);
  const found = useAnswer(
    async (client) => ({ typed, ...(await readCodes(client, list.kind, typed)) }),
    [typed],
  );
  const { codes = [], isWhole = true } = found.value ?? {};
  const isFound = found.value?.typed === typed;
  const chosen = codes.find(({ code }) => code === typed);
  const pass = (code: string): void => {
    if (code === passedOn.current) return;
    passedOn.current = code;
    onValue(code);
  };
  useEffect(() => {
    // While someone types here, this is an earlier code of theirs that arrives late.
    if (value === passedOn.current || document.activeElement?.getAttribute('list') === id) return;
    passedOn.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    // One of too many that begin alike might not be among those found.
    if (isFound) pass(chosen !== undefined || !isWhole ? typed : '');
  }, [isFound, typed]);
  return (
    <>
      <TextField
        label={label}
        value={typed}
        onValue={(text) => {
          setTyped(text);
          pass(codes.some(({ code }) => code === text) ? text : '');
        }}
        placeholder={none ?? 'type a code'}
        list={id}
        isMono
        hint={chosen?.name}
        fault={isFound && codes.length === 0 ? 'No code begins like this.' : undefined}
      />
      <datalist id={id}>
        {codes.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
