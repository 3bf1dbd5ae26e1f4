import { useState } from 'preact/hooks';
import { ConfirmAction } from '../../parts/confirm-action.js';
import { wordsOfDay } from '../../parts/moment.js';
import { Notice } from '../../parts/notice.js';
import { client } from '../../session/gateway-client.js';
import {
  type Definition,
  DefinitionFields,
  MONTHS,
  NO_DEFINITION,
  RESET_WORDS,
  type Series,
} from './definition-fields.js';

interface DefineSeriesProps {
  /** The project whose series are known; empty: those of all are. */
  readonly projectCode: string;
  /** Those that exist: what the fields do not show is kept. */
  readonly series: readonly Series[];
  readonly onDone: () => void;
}

interface Edited {
  readonly definition: Definition;
  /** What the fields were filled from, if anything: a later revision may hold a colleague's changes. */
  readonly filledFrom?: Series | undefined;
}

/** Defines how a document type is numbered, or changes what can change: its dates and its range. */
export function DefineSeries({ projectCode: ofProject, series, onDone }: DefineSeriesProps) {
  const [edited, setEdited] = useState<Edited>({ definition: { ...NO_DEFINITION, projectCode: ofProject } });
  const { definition, filledFrom } = edited;
  const [report, setReport] = useState<string>();
  const { projectCode, typeCode, closedUntil } = definition;
  const stored = latestOf(edited, find(series, definition));
  const change = (part: Partial<Definition>): void => {
    const changed = { ...definition, ...part };
    if (changed.projectCode === projectCode && changed.typeCode === typeCode) {
      setEdited({ definition: changed, filledFrom });
    } else {
      const found = find(series, changed);
      const filled = found ? definitionOf(found, changed) : presetOf(series, changed);
      setEdited({ definition: filled, filledFrom: found });
    }
  };
  const save = async (): Promise<void> => {
    setReport(undefined);
    const defined = await client.value.defineDocumentSeries({ input: inputOf(definition, stored) });
    setEdited({ definition: definitionOf(defined, definition), filledFrom: defined });
    setReport(`${projectCode} · ${typeCode} is defined.`);
  };
  const closes = closedUntil !== (stored?.closedUntil ?? '') && closedUntil !== '';
  return (
    <section class="panel stack tight">
      <h2>Define or change a series</h2>
      <div class="row end">
        <DefinitionFields definition={definition} onChange={change} hasProject={ofProject !== ''} />
      </div>
      <div class="row end">
        <ConfirmAction
          label={closes ? `Close up to ${wordsOfDay(closedUntil)}` : stored ? 'Change' : 'Define'}
          isDisabled={projectCode === '' || typeCode === '' || definition.timeZone === ''}
          asksReason={false}
          question={questionOf(definition, closes)}
          run={save}
          onClose={onDone}
        />
        <p class="quiet small">
          When it resets, its time zone and its first number are fixed once the series has a counter; its
          dates and its last number can change.
        </p>
      </div>
      <div role="status">{report && <Notice kind="good">{report}</Notice>}</div>
    </section>
  );
}

function find(series: readonly Series[], { projectCode, typeCode }: Definition): Series | undefined {
  return series.find((one) => one.project?.code === projectCode && one.typeCode === typeCode);
}

function definitionOf(series: Series, { projectCode, typeCode }: Definition): Definition {
  const { reset, timeZone, fiscalStartMonth, closedUntil, openUntil, startAt, endAt } = series;
  return {
    projectCode,
    typeCode,
    reset,
    timeZone,
    fiscalStartMonth: String(fiscalStartMonth),
    closedUntil: closedUntil ?? '',
    openUntil: openUntil ?? '',
    startAt: String(startAt),
    endAt: endAt === null ? '' : String(endAt),
  };
}

/** What a new series begins with: the calendar of the project's other series, which it nearly always shares. */
function presetOf(series: readonly Series[], definition: Definition): Definition {
  const { projectCode, typeCode, reset, timeZone, fiscalStartMonth } = definition;
  const sibling = series.find(({ project }) => project?.code === projectCode);
  if (sibling === undefined)
    return { ...NO_DEFINITION, projectCode, typeCode, reset, timeZone, fiscalStartMonth };
  const rules = definitionOf(sibling, definition);
  return { ...rules, closedUntil: '', openUntil: '', startAt: '', endAt: '' };
}

function questionOf(definition: Definition, closes: boolean): string {
  const { projectCode, typeCode, reset, timeZone, closedUntil, fiscalStartMonth } = definition;
  const start =
    reset === 'FISCAL_YEAR' ? `, which starts in ${MONTHS[Number(fiscalStartMonth) - 1]?.text}` : '';
  const series = `${projectCode} · ${typeCode}`;
  const closing = closes
    ? ` Requests to ${series} for numbers dated up to ${wordsOfDay(closedUntil)} will be refused until the dates are reopened.`
    : '';
  return `${series} restarts ${RESET_WORDS[reset]}${start}, by the dates of ${timeZone}. This is fixed once it has a counter.${closing}`;
}

/** A block or a format makes a later revision, but changes nothing of what a definition sends. */
function latestOf({ definition, filledFrom }: Edited, found: Series | undefined): Series | undefined {
  if (!filledFrom || !found || found.revision < filledFrom.revision) return filledFrom;
  const sentBy = (series: Series): string =>
    JSON.stringify({ ...inputOf(definitionOf(series, definition), series), expectedRevision: undefined });
  return sentBy(found) === sentBy(filledFrom) ? found : filledFrom;
}

/** What the definition does not name would be removed; without a stored series, it is refused if there is one now. */
function inputOf(definition: Definition, stored: Series | undefined) {
  const { projectCode, typeCode, reset, timeZone, fiscalStartMonth } = definition;
  return {
    projectCode,
    typeCode,
    startAt: Number(definition.startAt) || null,
    endAt: Number(definition.endAt) || null,
    authorityCode: stored?.authorityCode ?? null,
    manualInterval: stored?.manualInterval ?? null,
    expectedRevision: stored?.revision ?? 0,
    rules: {
      reset,
      timeZone,
      dateOrder: stored?.dateOrder ?? false,
      fiscalYearNamedBy: stored?.fiscalYearNamedBy ?? 'START',
      fiscalStartMonth: Number(fiscalStartMonth),
      closedUntil: definition.closedUntil || null,
      openUntil: definition.openUntil || null,
    },
  } as const;
}
