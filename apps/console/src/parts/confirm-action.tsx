import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../session/use-action.js';
import { TextField } from './field.js';
import { Form } from './form.js';
import { Failure } from './notice.js';

interface ConfirmActionProps {
  /** Label of the button that opens the dialog. */
  readonly label: string;
  /** What will happen that cannot be undone. */
  readonly question: string;
  /** Whether to ask for a reason, which the ledger keeps. Default: true. */
  readonly asksReason?: boolean;
  readonly isDisabled?: boolean;
  readonly run: (reason: string) => Promise<unknown>;
  /** Called once the dialog is closed, also after a refusal, which can mean that the page is out of date. */
  readonly onClose?: () => void;
}

/** An irreversible action, which asks for confirmation. */
export function ConfirmAction(props: ConfirmActionProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    setOpen(false);
    props.onClose?.();
  };
  return (
    <>
      <button type="button" disabled={props.isDisabled ?? false} onClick={() => setOpen(true)}>
        {props.label}…
      </button>
      {isOpen && <Question {...props} onClose={close} />}
    </>
  );
}

function Question({
  label,
  question,
  asksReason = true,
  run,
  onClose,
}: ConfirmActionProps & { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  const attempt = useAction();

  // Before the next key event: immediate typing belongs to the dialog, not to the button behind it.
  useLayoutEffect(() => dialog.current?.showModal(), []);

  const close = (): void => dialog.current?.close();
  const confirm = async (): Promise<void> => {
    await run(reason.trim());
    close();
  };

  return (
    <dialog ref={dialog} aria-label={label} onClose={onClose}>
      <Form class="stack" onSubmit={() => attempt.run(confirm)}>
        <h2>{label}</h2>
        <p>{question}</p>
        {asksReason && (
          <TextField label="Reason (kept in the ledger)" value={reason} onValue={setReason} isRequired />
        )}
        <Failure error={attempt.error} />
        <div class="row">
          <button
            type="submit"
            class="primary"
            disabled={attempt.isRunning || (asksReason && reason.trim() === '')}
          >
            {label}
          </button>
          <button type="button" onClick={close}>
            Go back
          </button>
        </div>
      </Form>
    </dialog>
  );
}
