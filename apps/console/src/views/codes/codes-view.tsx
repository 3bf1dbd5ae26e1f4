import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { type CodeKind, isCodeKind, KIND_WORDS } from '../../parts/catalog.js';
import { AnswerTable } from '../../parts/data-table.js';
import { Choice, TextField } from '../../parts/field.js';
import { Form } from '../../parts/form.js';
import { Failure, Notice } from '../../parts/notice.js';
import { PageHead } from '../../parts/page-head.js';
import { usePages } from '../../parts/pages.js';
import { granted } from '../../session/failure.js';
import { client, type Result } from '../../session/gateway-client.js';
import { roles } from '../../session/identity.js';
import { useAction } from '../../session/use-action.js';

type Coded = Result<'projects'>['edges'][number]['node'];

const KINDS = Object.entries(KIND_WORDS).map(([value, text]) => ({ value, text }));
const MUTATIONS = {
  projects: ['createProject', 'renameProject'],
  organizations: ['createOrganization', 'renameOrganization'],
  correspondenceTypes: ['createCorrespondenceType', 'renameCorrespondenceType'],
  disciplines: ['createDiscipline', 'renameDiscipline'],
} as const;

/** The codes that numbers are printed with, and their names. */
export function CodesView() {
  const { route } = useLocation();
  const { query } = useRoute();
  const kind = isCodeKind(query.kind) ? query.kind : 'projects';
  return (
    <>
      <PageHead
        title="Codes"
        lede="Projects, organizations, types and disciplines. A code is printed in numbers, so it never changes; its name can."
      />
      <div class="stack">
        <section class="panel row end">
          <Choice
            label="Codes of"
            value={kind}
            onValue={(chosen) => route(`/codes?kind=${chosen}`)}
            options={KINDS}
          />
        </section>
        <Codes key={kind} kind={kind} />
      </div>
    </>
  );
}

function Codes({ kind }: { readonly kind: CodeKind }) {
  const [codeStart, setCodeStart] = useState('');
  const [renamed, setRenamed] = useState<Coded>();
  const [revision, setRevision] = useState(0);
  const pages = usePages<Coded>((asker, page) => asker[kind]({ ...page, codeStart }), {
    first: 50,
    query: [kind, codeStart],
    revision,
  });
  const isAdmin = roles.value.has('admin');
  const saved = (): void => {
    setRenamed(undefined);
    setRevision((before) => before + 1);
  };
  return (
    <>
      {isAdmin ? (
        <NameForm key={renamed?.code ?? ''} kind={kind} renamed={renamed} onSaved={saved} />
      ) : (
        <p class="quiet small">Only an administrator can add a code or change a name.</p>
      )}
      <section class="panel stack tight">
        <div class="row end">
          <TextField label="Code begins with" type="search" value={codeStart} onValue={setCodeStart} />
        </div>
        <AnswerTable
          of={pages}
          caption={KIND_WORDS[kind]}
          columns={[
            { title: 'Code', cell: ({ code }: Coded) => <span class="mono">{code}</span> },
            { title: 'Name', cell: ({ name }) => name },
            ...(isAdmin
              ? [
                  {
                    title: 'Change',
                    cell: (row: Coded) => (
                      <button type="button" onClick={() => setRenamed(row)}>
                        Rename<span class="unseen"> {row.code}</span>
                      </button>
                    ),
                  },
                ]
              : []),
          ]}
          keyOf={({ code }) => code}
          empty={codeStart === '' ? 'No codes yet.' : 'No code begins like this.'}
        />
        {!pages.isWhole && pages.buttons}
      </section>
    </>
  );
}

interface NameFormProps {
  readonly kind: CodeKind;
  /** The row whose name to change; none: a new row. */
  readonly renamed: Coded | undefined;
  readonly onSaved: () => void;
}

function NameForm({ kind, renamed, onSaved }: NameFormProps) {
  const [code, setCode] = useState(renamed?.code ?? '');
  const [name, setName] = useState(renamed?.name ?? '');
  const [report, setReport] = useState<string>();
  const { error, isRunning, run } = useAction();
  const save = async (): Promise<void> => {
    setReport(undefined);
    const [create, rename] = MUTATIONS[kind];
    granted(await client.value[renamed ? rename : create]({ input: { code, name } }));
    setReport(`${code} is saved as ${name}.`);
    onSaved();
  };
  return (
    <section class="panel stack tight">
      <h2>{renamed ? `Rename ${renamed.code}` : 'Add a code'}</h2>
      <Form class="row end" onSubmit={() => run(save)}>
        {!renamed && (
          <TextField
            label="Code"
            value={code}
            onValue={setCode}
            hint="1 to 20 letters, digits, dots or underscores"
            isRequired
            isMono
          />
        )}
        <TextField label="Name" value={name} onValue={setName} isRequired />
        <button type="submit" class="primary" disabled={isRunning}>
          {renamed ? 'Save the name' : 'Add'}
        </button>
        {renamed && (
          <button type="button" onClick={onSaved}>
            Go back
          </button>
        )}
      </Form>
      <Failure error={error} />
      <div role="status">{report && <Notice kind="good">{report}</Notice>}</div>
    </section>
  );
}
