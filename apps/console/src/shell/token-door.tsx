import { useState } from 'preact/hooks';
import { TextField } from '../parts/field.js';
import { PageHead } from '../parts/page-head.js';
import { pasteToken } from '../session/identity.js';

/** Where a gateway with tokens is entered. */
export function TokenDoor() {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  return (
    <>
      <PageHead
        title="Who asks?"
        lede="This gateway knows its callers by tokens. Paste yours; it stays in this tab and is forgotten with it."
      />
      <form
        class="panel row end"
        onSubmit={(event) => {
          event.preventDefault();
          setFault(pasteToken(text));
        }}
      >
        <TextField label="Bearer token" value={text} onValue={setText} fault={fault} isRequired isMono />
        <button type="submit" class="primary">
          Enter
        </button>
      </form>
    </>
  );
}
