import { useEffect, useState } from 'preact/hooks';
import { Choice, TextField } from '../../parts/field.js';
import { Form } from '../../parts/form.js';
import { Failure, Notice } from '../../parts/notice.js';
import type { SeriesCodes } from '../../parts/series-choice.js';
import { client } from '../../session/gateway-client.js';
import { useAction } from '../../session/use-action.js';
import { useAnswer } from '../../session/use-answer.js';
import { renderTemplate } from './render-template.js';
import { isNew, TemplateVerdict } from './template-fault.js';
import { type Format, OVERFLOW_WORDS } from './versions.js';

/** Pause in typing after which the gateway checks the template. */
const TYPED_MS = 150;
const OVERFLOWS = Object.entries(OVERFLOW_WORDS).map(([value, text]) => ({ value, text }));

interface TemplateInput extends Pick<Format, 'template' | 'overflow'> {
  readonly projectCode: string;
  readonly typeCode: string;
}

interface FormatEditorProps {
  readonly codes: SeriesCodes;
  /** The newest version saved, whose values are the initial ones; 0 if there is none, and so no next number. */
  readonly newest: Pick<Format, 'template' | 'overflow' | 'version'>;
  readonly mayChange: boolean;
  readonly onSaved: () => void;
}

/** A template, checked while it is typed against all existing formats, with a preview of the next number. */
export function FormatEditor({ codes, newest, mayChange, onSaved }: FormatEditorProps) {
  const { version } = newest;
  const [template, setTemplate] = useState(newest.template);
  const [overflow, setOverflow] = useState(newest.overflow);
  const [report, setReport] = useState<string>();
  const { error, isRunning, run } = useAction();
  const { projectCode, typeCode } = codes;
  const input = { projectCode, typeCode, template, overflow };
  const check = useCheck(input, version, mayChange);
  const value = check.value?.version === version ? check.value : undefined;
  const save = async (): Promise<void> => {
    setReport(undefined);
    const { version } = await client.value.saveDocumentNumberFormat({ input });
    setReport(`Saved as version ${version}. All new numbers use it.`);
    onSaved();
  };
  return (
    <Form class="panel stack" onSubmit={() => run(save)}>
      <div class="row end wide">
        <TextField label="Template" value={template} onValue={setTemplate} isMono isRequired />
        <Choice
          label="On overflow"
          value={overflow}
          onValue={(text) => setOverflow(text as Format['overflow'])}
          options={OVERFLOWS}
        />
        {mayChange && (
          <button
            type="submit"
            class="primary"
            disabled={isRunning || value === undefined || !isNew(value.verdict, version)}
          >
            Save the next version
          </button>
        )}
      </div>
      <Preview codes={codes} template={template} version={version} />
      <div role="status">
        {value !== undefined && (
          <TemplateVerdict template={value.template} check={value.verdict} newest={version} />
        )}
      </div>
      <Failure error={check.error ?? error} />
      {report && <Notice kind="good">{report}</Notice>}
    </Form>
  );
}

interface PreviewProps extends Pick<Format, 'template' | 'version'> {
  readonly codes: SeriesCodes;
}

function Preview({ codes, template, version }: PreviewProps) {
  const asked = JSON.stringify([codes, version]);
  const isNumbered = version > 0 && Object.values(codes).every((code) => code !== '');
  const { value, error, reload } = useAnswer(
    async (asker) => ({
      asked,
      next: isNumbered ? await asker.documentNumberPreview({ input: codes }) : undefined,
    }),
    [asked],
  );
  const next = value?.asked === asked ? value.next : undefined;
  return (
    <div>
      <p class="mono big">{renderTemplate(template, codes, next?.sequence ?? 1, new Date())}</p>
      <p class="quiet small">
        {next
          ? `Next in the current format: ${next.number}. Not reserved: another caller may get it.`
          : 'Preview with sequence 1.'}
      </p>
      <Failure error={error} onRetry={reload} />
    </div>
  );
}

/** The gateway's check of the template, after a pause in typing. */
function useCheck(input: TemplateInput, version: number, mayChange: boolean) {
  const template = useSettled(input.template);
  const { projectCode, typeCode, overflow } = input;
  return useAnswer(
    async (asker) => {
      if (!mayChange || template === '') return undefined;
      const verdict = await asker.documentNumberFormatCheck({ input: { ...input, template } });
      return { template, version, verdict };
    },
    [template, overflow, projectCode, typeCode, version],
  );
}

/** A debounced value. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
