import { useEffect, useState } from 'preact/hooks';
import { type CodeList, useCatalog } from './catalog.js';
import { CodeChoice } from './code-choice.js';
import { Progress } from './notice.js';

/** The codes that identify a counter. */
export interface SeriesCodes {
  readonly projectCode: string;
  readonly organizationCode: string;
  readonly typeCode: string;
  readonly disciplineCode: string;
}

/** Names a series, such as `DEMO · TEAM · RFA · STR`. */
export function wordsOfSeries(codes: SeriesCodes): string {
  return CODES_OF_SERIES.map(({ name }) => codes[name]).join(' · ');
}

/** The fields of a series, in their order on a page. */
export const CODES_OF_SERIES = [
  { name: 'projectCode', label: 'Project', kind: 'projects' },
  { name: 'organizationCode', label: 'Organization', kind: 'organizations' },
  { name: 'typeCode', label: 'Type', kind: 'correspondenceTypes' },
  { name: 'disciplineCode', label: 'Discipline', kind: 'disciplines' },
] as const;

/**
 * The four fields of a series, undefined until the codes have been loaded, and the series that they choose: none while the
 * text of one is no code.
 *
 * @param wanted codes to preselect, if they exist
 */
export function useSeriesChoice(wanted: { readonly [Part in keyof SeriesCodes]?: string | undefined } = {}) {
  const catalog = useCatalog();
  const [fields, setFields] = useState<SeriesCodes>();
  useEffect(() => {
    if (catalog.value === undefined || fields !== undefined) return;
    const { projects, organizations, correspondenceTypes: types, disciplines } = catalog.value;
    const first = ({ codes, isWhole }: CodeList, usual: string, asked?: string): string => {
      if (asked !== undefined && !isWhole) return asked;
      return [asked, usual].find((text) => codes.some(({ code }) => code === text)) ?? codes[0]?.code ?? '';
    };
    setFields({
      projectCode: first(projects, 'DEMO', wanted.projectCode),
      organizationCode: first(organizations, 'TEAM', wanted.organizationCode),
      typeCode: first(types, 'RFA', wanted.typeCode),
      disciplineCode: first(disciplines, 'STR', wanted.disciplineCode),
    });
  }, [catalog.value, fields]);
  const isChosen = fields !== undefined && Object.values(fields).every((code) => code !== '');
  return { catalog, fields, chosen: isChosen ? fields : undefined, choose: setFields };
}

interface SeriesChoiceProps {
  readonly choice: ReturnType<typeof useSeriesChoice>;
}

export function SeriesChoice({ choice: { catalog, fields, choose } }: SeriesChoiceProps) {
  if (catalog.value === undefined) return <Progress of={catalog} />;
  if (fields === undefined) return null;
  const { value } = catalog;
  return (
    <>
      {CODES_OF_SERIES.map(({ name, label, kind }) => (
        <CodeChoice
          key={name}
          list={value[kind]}
          label={label}
          value={fields[name]}
          onValue={(code) => choose({ ...fields, [name]: code })}
        />
      ))}
    </>
  );
}
