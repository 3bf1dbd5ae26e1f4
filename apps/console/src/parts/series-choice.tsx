import { useEffect, useState } from 'preact/hooks';
import { type Coded, useCatalog } from './catalog.js';
import { Choice } from './field.js';
import { Failure } from './notice.js';

/** The codes that identify a counter. */
export interface SeriesCodes {
  readonly projectCode: string;
  readonly organizationCode: string;
  readonly typeCode: string;
  readonly disciplineCode: string;
}

/**
 * The series selected by the four fields; undefined until the codes have been loaded.
 *
 * @param wanted codes to preselect, if they exist
 */
export function useSeriesChoice(wanted: { readonly [Part in keyof SeriesCodes]?: string | undefined } = {}) {
  const catalog = useCatalog();
  const [chosen, setChosen] = useState<SeriesCodes>();
  useEffect(() => {
    if (catalog.value === undefined || chosen !== undefined) return;
    const { projects, organizations, types, disciplines } = catalog.value;
    const first = (codes: readonly Coded[], usual: string, asked?: string): string =>
      [asked, usual].find((text) => codes.some(({ code }) => code === text)) ?? codes[0]?.code ?? '';
    setChosen({
      projectCode: first(projects, 'DEMO', wanted.projectCode),
      organizationCode: first(organizations, 'TEAM', wanted.organizationCode),
      typeCode: first(types, 'RFA', wanted.typeCode),
      disciplineCode: first(disciplines, 'STR', wanted.disciplineCode),
    });
  }, [catalog.value, chosen]);
  return { catalog, chosen, choose: setChosen };
}

interface SeriesChoiceProps {
  readonly choice: ReturnType<typeof useSeriesChoice>;
}

export function SeriesChoice({ choice: { catalog, chosen, choose } }: SeriesChoiceProps) {
  if (catalog.value === undefined) return <Failure error={catalog.error} onRetry={catalog.reload} />;
  if (chosen === undefined) return null;
  const { projects, organizations, types, disciplines } = catalog.value;
  const parts = [
    { key: 'projectCode', label: 'Project', codes: projects },
    { key: 'organizationCode', label: 'Organization', codes: organizations },
    { key: 'typeCode', label: 'Type', codes: types },
    { key: 'disciplineCode', label: 'Discipline', codes: disciplines },
  ] as const;
  return (
    <>
      {parts.map(({ key, label, codes }) => (
        <Choice
          key={key}
          label={label}
          value={chosen[key]}
          onValue={(code) => choose({ ...chosen, [key]: code })}
          hint={codes.find(({ code }) => code === chosen[key])?.name}
          options={codes.map(({ code }) => ({ value: code, text: code }))}
        />
      ))}
    </>
  );
}
