import { useState } from 'preact/hooks';
import { ConfirmAction } from '../../parts/confirm-action.js';
import { TextField } from '../../parts/field.js';
import { Notice } from '../../parts/notice.js';
import { client } from '../../session/gateway-client.js';
import { roles } from '../../session/identity.js';

interface DefaultFormatProps {
  readonly projectCode: string;
  readonly template: string;
  readonly onSaved: () => void;
}

/** The template of all series of a project that have none of their own. */
export function DefaultFormat({ projectCode, template: first, onSaved }: DefaultFormatProps) {
  const [template, setTemplate] = useState(first);
  const [report, setReport] = useState<string>();
  if (!roles.value.has('admin')) {
    return <p class="quiet small">Only an administrator can save a format.</p>;
  }
  const save = async (): Promise<void> => {
    await client.value.saveDefaultDocumentNumberFormat({ input: { projectCode, template } });
    setReport(
      `Saved for ${projectCode}: each series without a format has it, and each new one gets it, if it fits.`,
    );
    onSaved();
  };
  return (
    <section class="panel stack tight">
      <h2>Default format of {projectCode}</h2>
      <div class="row end wide">
        <TextField label="By default" value={template} onValue={setTemplate} isMono isRequired />
        <ConfirmAction
          label="Save the default"
          isDisabled={template.trim() === ''}
          asksReason={false}
          question={`Each series of ${projectCode} that has no format gets ${template} as its first version, now or when it is defined.`}
          run={save}
        />
      </div>
      <div role="status">{report && <Notice kind="good">{report}</Notice>}</div>
    </section>
  );
}
