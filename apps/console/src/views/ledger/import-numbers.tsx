import { useState } from 'preact/hooks';
import { useCatalog } from '../../parts/catalog.js';
import { CodeChoice } from '../../parts/code-choice.js';
import { ConfirmAction } from '../../parts/confirm-action.js';
import { DataTable } from '../../parts/data-table.js';
import { fieldsOf, TextField } from '../../parts/field.js';
import { count, countOf } from '../../parts/figures.js';
import { Failure, Notice, Progress } from '../../parts/notice.js';
import { client, type Result } from '../../session/gateway-client.js';
import { useAction } from '../../session/use-action.js';

type Report = Result<'importDocumentNumbers'>;
type Row = Parameters<typeof client.value.importDocumentNumbers>[0]['input']['rows'] extends
  | readonly (infer One)[]
  | infer One
  ? One
  : never;

const EXAMPLE = 'RFA,TEAM,STR,2026-01-31,1\nRFA,TEAM,STR,2026-02-03,2,TEAM-RFA-STR-2026-0002';

/** The form's values. */
interface Register {
  readonly projectCode: string;
  readonly text: string;
  readonly reason: string;
  readonly recordHoles: boolean;
}

/** What the gateway reports of a register. */
interface Attempt {
  readonly register: Register;
  readonly isCheck: boolean;
  readonly report: Report;
}

/** Imports the numbers of an older register: checked first, then stored all or none. */
export function ImportNumbers({ onDone }: { readonly onDone: () => void }) {
  const [register, setRegister] = useState<Register>({
    projectCode: '',
    text: '',
    reason: '',
    recordHoles: false,
  });
  const [attempt, setAttempt] = useState<Attempt>();
  const { error, isRunning, run } = useAction();
  const isEmpty = register.projectCode === '' || register.text.trim() === '';
  // The check of another register does not apply to this one.
  const isOther = attempt?.isCheck && attempt.register !== register;
  const shown = isOther ? undefined : attempt;
  const isSound = shown?.isCheck && shown.report.problemCount === 0;
  const send = (isCheck: boolean): Promise<void> =>
    run(async () => {
      setAttempt({ register, isCheck, report: await importRegister(register, isCheck) });
      if (!isCheck) onDone();
    });
  return (
    <details class="panel">
      <summary>
        <h2>Import an older register</h2>
      </summary>
      <div class="stack tight">
        <RegisterFields
          register={register}
          onChange={(part) => setRegister((before) => ({ ...before, ...part }))}
        />
        <div class="row">
          <button type="button" disabled={isEmpty || isRunning} onClick={() => void send(true)}>
            Check the rows
          </button>
          <ConfirmAction
            label="Import rows"
            asksReason={false}
            isDisabled={!isSound || isRunning}
            question={shown ? questionOf(shown) : ''}
            run={() => send(false)}
          />
        </div>
        <Failure error={error} />
        <div role="status">{shown && <Outcome {...shown} />}</div>
      </div>
    </details>
  );
}

function questionOf({ register, report }: Attempt): string {
  const { rowCount, recordedHoleCount } = report;
  const missing = countOf(recordedHoleCount, 'missing number');
  const holes = recordedHoleCount > 0 ? `, and records ${missing} as cancelled` : '';
  return `This imports ${countOf(rowCount, 'row')} into project ${register.projectCode}${holes}. None of it can be removed again.`;
}

async function importRegister(register: Register, dryRun: boolean): Promise<Report> {
  const { projectCode, text, recordHoles, reason } = register;
  return client.value.importDocumentNumbers({
    input: { projectCode, rows: rowsOf(text), recordHoles, dryRun, reason: reason || null },
  });
}

interface RegisterFieldsProps {
  readonly register: Register;
  readonly onChange: (part: Partial<Register>) => void;
}

function RegisterFields({ register, onChange }: RegisterFieldsProps) {
  const catalog = useCatalog();
  const bound = fieldsOf<Omit<Register, 'recordHoles'>>(register, onChange);
  return (
    <>
      <Progress of={catalog} />
      <div class="row end">
        {catalog.value && (
          <CodeChoice list={catalog.value.projects} label="Project" none="choose" {...bound('projectCode')} />
        )}
        <TextField label="Reason in the ledger" {...bound('reason')} />
        <label>
          <input
            type="checkbox"
            checked={register.recordHoles}
            onChange={({ currentTarget: { checked } }) => onChange({ recordHoles: checked })}
          />
          Record gaps as cancelled
        </label>
      </div>
      <textarea
        class="mono code"
        aria-label="Rows: type, organization, discipline, date, sequence, and the number as it was printed"
        rows={6}
        spellcheck={false}
        placeholder={EXAMPLE}
        value={register.text}
        onInput={({ currentTarget: { value } }) => onChange({ text: value })}
      />
      <p class="quiet small">
        One line per number: type, organization, discipline, date, sequence, and the number as it was printed;
        if omitted, the format prints it. Up to 1,000 lines.
      </p>
    </>
  );
}

function Outcome({ register, report, isCheck }: Attempt) {
  const { rowCount, recordedHoleCount, problemCount, problems } = report;
  if (problemCount === 0) {
    const holes = recordedHoleCount > 0 ? `, ${count(recordedHoleCount)} recorded as cancelled` : '';
    return (
      <Notice kind="good">
        {isCheck
          ? `${countOf(rowCount, 'row')} can be imported${holes}.`
          : `${countOf(rowCount, 'number')} imported${holes}.`}
      </Notice>
    );
  }
  const lines = linesOf(register.text);
  return (
    <DataTable
      // An attempt whose answer was lost may have stored them before.
      caption={`${countOf(problemCount, 'problem')}; nothing was stored${isCheck ? '' : ' by this attempt'}`}
      isCaptionSeen
      columns={[
        {
          title: 'Line',
          cell: ({ row }: Report['problems'][number]) => (row === null ? '–' : lines[row]?.lineNumber),
        },
        { title: 'Problem', cell: ({ message }) => message },
      ]}
      rows={problems}
      keyOf={({ code, row }) => `${code} ${row}`}
      empty=""
    />
  );
}

/** The lines that are rows, with their numbers in the text. */
function linesOf(text: string) {
  return text
    .split('\n')
    .map((line, index) => ({ line, lineNumber: index + 1 }))
    .filter(({ line }) => line.trim() !== '');
}

/** @throws Error that names the invalid line */
function rowsOf(text: string): Row[] {
  return linesOf(text).map(({ line, lineNumber }) => {
    // The printed number comes last, and can itself contain separators; spreadsheets add empty fields after it.
    const separator = /[,;\t]/.exec(line)?.[0] ?? ',';
    const parts = line.replace(new RegExp(`[${separator}\\s]+$`), '').split(separator);
    const [typeCode = '', organizationCode = '', disciplineCode = '', date = '', sequence = ''] = parts.map(
      (part) => part.trim(),
    );
    if (date === '' || !Number.isSafeInteger(Number(sequence)) || sequence === '') {
      throw new Error(
        `Line ${lineNumber} is not a valid row: type, organization, discipline, date, sequence.`,
      );
    }
    const number = parts.slice(5).join(separator).trim();
    return {
      typeCode,
      organizationCode,
      disciplineCode,
      date,
      sequence: Number(sequence),
      ...(number && { number }),
    } as Row;
  });
}
