import { useState } from 'preact/hooks';
import { TextField } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { PageHead } from '../parts/page-head.js';
import { pasteToken } from '../session/identity.js';

/** The sign-in page of a gateway that requires tokens. */
export function TokenDoor() {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  return (
    <>
      <PageHead
        title="Sign in"
        lede="This gateway requires a token. Paste yours; it is kept in this tab until the tab is closed."
      />
      <Form class="panel row end wide" onSubmit={() => setFault(pasteToken(text))}>
        <TextField label="Bearer token" value={text} onValue={setText} fault={fault} isRequired isMono />
        <button type="submit" class="primary">
          Sign in
        </button>
      </Form>
    </>
  );
}
