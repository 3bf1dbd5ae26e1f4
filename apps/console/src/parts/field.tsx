import type { ComponentChildren, Ref } from 'preact';
import { useId } from 'preact/hooks';

interface FieldFrameProps {
  readonly label: string;
  /** Explains the value. */
  readonly hint?: string | undefined;
  /** Describes what is wrong with the value. */
  readonly fault?: string | undefined;
}

function Frame({
  label,
  hint,
  fault,
  id,
  children,
}: FieldFrameProps & { readonly id: string; readonly children: ComponentChildren }) {
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {children}
      {hint && <span class="hint">{hint}</span>}
      {fault && (
        <span class="fault" id={`${id}-fault`} role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}

interface TextFieldProps extends FieldFrameProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly isMono?: boolean;
  readonly type?: 'text' | 'number' | 'date' | 'search';
  readonly inputRef?: Ref<HTMLInputElement>;
  /** ID of a `datalist` with suggestions. */
  readonly list?: string;
}

export function TextField({
  value,
  onValue,
  placeholder,
  isRequired,
  isMono,
  type = 'text',
  inputRef,
  list,
  ...frame
}: TextFieldProps) {
  const id = useId();
  return (
    <Frame {...frame} id={id}>
      <input
        id={id}
        ref={inputRef ?? null}
        // All these types accept the same attributes, which the typings do not express.
        type={type as 'text'}
        value={value}
        placeholder={placeholder}
        required={isRequired ?? false}
        class={isMono ? 'mono' : ''}
        spellcheck={false}
        autocomplete="off"
        list={list}
        aria-invalid={frame.fault !== undefined}
        aria-describedby={frame.fault === undefined ? undefined : `${id}-fault`}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </Frame>
  );
}

interface ChoiceProps extends FieldFrameProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly text: string }[];
}

export function Choice({ value, onValue, options, ...frame }: ChoiceProps) {
  const id = useId();
  return (
    <Frame {...frame} id={id}>
      <select id={id} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/** Binds fields to the texts of a record: `<TextField label="First number" {...bound('startAt')} />`. */
export function fieldsOf<Texts extends Readonly<Record<keyof Texts, string>>>(
  texts: Texts,
  onChange: (part: Partial<Texts>) => void,
) {
  return (name: keyof Texts) => ({
    value: texts[name],
    onValue: (text: string) => onChange({ [name]: text } as unknown as Partial<Texts>),
  });
}
