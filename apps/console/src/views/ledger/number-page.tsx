import { NumberParts } from '../../charts/number-parts.js';
import { ConfirmAction } from '../../parts/confirm-action.js';
import { Fact } from '../../parts/fact.js';
import { Day, Moment } from '../../parts/moment.js';
import { Progress } from '../../parts/notice.js';
import { NumberLink } from '../../parts/number-link.js';
import { PageHead } from '../../parts/page-head.js';
import { PersonName } from '../../parts/person-name.js';
import { granted } from '../../session/failure.js';
import { client } from '../../session/gateway-client.js';
import { roles } from '../../session/identity.js';
import { sendKept } from '../../session/kept-keys.js';
import { useAnswer } from '../../session/use-answer.js';
import { ledgerAddress } from './ledger-filter.js';
import { NumberLife } from './number-life.js';
import { type NumberFacts, NumberStatusTag } from './number-words.js';

interface NumberPageProps {
  readonly number: string;
  readonly projectCode: string;
}

/** One number: its parts, its facts and its history. */
export function NumberPage({ number, projectCode }: NumberPageProps) {
  const found = useAnswer(
    (asker) => asker.documentNumber({ by: { number: { number, projectCode } } }),
    [number, projectCode],
  );
  const value = found.value;
  return (
    <>
      <PageHead title={number} copied={{ text: number, what: 'the number' }} lede={`Project ${projectCode}`}>
        <a href="/ledger">Full ledger</a>
      </PageHead>
      <div class="stack">
        <Progress of={found} />
        {value === null && (
          <p>There is no such number in project {projectCode}. Enter it exactly as it is printed.</p>
        )}
        {value && (
          <>
            <Facts facts={value} />
            <EndButtons facts={value} onDone={found.reload} />
            <NumberLife facts={value} />
          </>
        )}
      </div>
    </>
  );
}

function Facts({ facts }: { readonly facts: NumberFacts }) {
  const { number, organizationCode, typeCode, disciplineCode, period, sequence, project } = facts;
  return (
    <section class="panel stack">
      <NumberParts
        number={number}
        sequence={sequence}
        parts={[
          { name: 'project', text: project?.code ?? null },
          { name: 'organization', text: organizationCode },
          { name: 'type', text: typeCode },
          { name: 'discipline', text: disciplineCode },
          { name: 'period', text: period },
        ]}
      />
      <dl class="facts">
        <Fact name="Status">
          <NumberStatusTag status={facts.status} />
        </Fact>
        <Fact name="Project">{project ? `${project.code}, ${project.name}` : '–'}</Fact>
        <Fact name="Business date">
          <Day iso={facts.date} />
        </Fact>
        <Fact name="Taken by">
          <PersonName actor={facts.actor} actorId={facts.actorId} />
          {facts.actorId && (
            <div class="small">
              <a href={ledgerAddress({ actorId: facts.actorId })}>All their numbers</a>
            </div>
          )}
        </Fact>
        <Fact name="Issued">
          <Moment iso={facts.issuedAt} />
          <div class="quiet small">
            {facts.formatVersion === null ? 'imported' : `with format version ${facts.formatVersion}`}
          </div>
        </Fact>
      </dl>
      {facts.reason && <p>Reason: {facts.reason}</p>}
      {facts.voidReason && (
        <p>
          Voided by <PersonName actor={facts.voidedBy} actorId={facts.voidedById} />,{' '}
          <Moment iso={facts.voidedAt} />: {facts.voidReason}
        </p>
      )}
      {facts.correspondence && <p>Document: {facts.correspondence.subject}</p>}
      {facts.replacedBy && (
        <p>
          Replaced by <NumberLink number={facts.replacedBy} projectCode={project?.code} />
        </p>
      )}
    </section>
  );
}

/** Voids or replaces a number. */
function EndButtons({ facts, onDone }: { readonly facts: NumberFacts; readonly onDone: () => void }) {
  const { number, project, status, organizationCode, typeCode, disciplineCode } = facts;
  if (project === null || (status !== 'ISSUED' && status !== 'MANUAL')) return null;
  if (!roles.value.has('admin')) {
    return <p class="quiet small">Only an administrator can void or replace this number.</p>;
  }
  return (
    <div class="row">
      <ConfirmAction
        label="Void this number"
        question={`${number} of project ${project.code} (${project.name}) is permanently taken out of use. It stays in the ledger and is never issued again.`}
        onClose={onDone}
        run={(reason) =>
          client.value.voidDocumentNumber({ input: { number, projectCode: project.code, reason } })
        }
      />
      {organizationCode !== null && disciplineCode !== null && (
        <ConfirmAction
          label="Replace this number"
          question={`${number} of project ${project.code} (${project.name}) is permanently taken out of use, and the next number of its series is issued in its place.`}
          onClose={onDone}
          run={async (reason) => {
            const codes = { projectCode: project.code, organizationCode, typeCode, disciplineCode };
            const input = { number, reason, replacement: codes };
            granted(
              await sendKept(`replace ${project.code} ${number}: ${reason}`, (options) =>
                client.value.replaceDocumentNumber({ input }, options),
              ),
            );
          }}
        />
      )}
    </div>
  );
}
