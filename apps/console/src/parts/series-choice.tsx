import { useEffect, useState } from 'preact/hooks';
import type { GatewayClient } from '../session/gateway-client.js';
import { useAnswer } from '../session/use-answer.js';
import { Choice } from './field.js';
import { Failure } from './notice.js';

/** The codes that name one counter. */
export interface SeriesCodes {
  readonly projectCode: string;
  readonly organizationCode: string;
  readonly typeCode: string;
  readonly disciplineCode: string;
}

interface Coded {
  readonly code: string;
  readonly name: string;
}

interface Catalog {
  readonly projects: readonly Coded[];
  readonly organizations: readonly Coded[];
  readonly types: readonly Coded[];
  readonly disciplines: readonly Coded[];
}

/** Master data is small; a page of 100 holds what people choose from. */
const FIRST = { first: 100 };

async function readCatalog(client: GatewayClient): Promise<Catalog> {
  const [projects, organizations, types, disciplines] = await Promise.all([
    client.projects(FIRST),
    client.organizations(FIRST),
    client.correspondenceTypes(FIRST),
    client.disciplines(FIRST),
  ]);
  return {
    projects: codesOf(projects),
    organizations: codesOf(organizations),
    types: codesOf(types),
    disciplines: codesOf(disciplines),
  };
}

function codesOf(connection: { readonly edges: readonly { readonly node: Coded }[] }): readonly Coded[] {
  return connection.edges
    .map(({ node }) => node)
    .toSorted((one, other) => one.code.localeCompare(other.code));
}

/** The series that the four choices name; undefined until the codes are known. */
export function useSeriesChoice() {
  const catalog = useAnswer(readCatalog, []);
  const [chosen, setChosen] = useState<SeriesCodes>();
  useEffect(() => {
    if (catalog.value === undefined || chosen !== undefined) return;
    const { projects, organizations, types, disciplines } = catalog.value;
    const first = (codes: readonly Coded[], wanted: string): string =>
      codes.find(({ code }) => code === wanted)?.code ?? codes[0]?.code ?? '';
    setChosen({
      projectCode: first(projects, 'DEMO'),
      organizationCode: first(organizations, 'TEAM'),
      typeCode: first(types, 'RFA'),
      disciplineCode: first(disciplines, 'STR'),
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
    { key: 'organizationCode', label: 'Organisation', codes: organizations },
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
