/** A series whose numbers callers request. */
export interface Series {
  readonly projectCode: string;
  readonly organizationCode: string;
  readonly typeCode: string;
  readonly disciplineCode: string;
}

/** What callers request from one cell. */
export interface Place {
  readonly series: readonly Series[];
  readonly region?: string;
}

/** Types to number; `RFA` is the contended one. */
export const TYPES = ['RFA', 'RFA', 'RFI', 'MEMO'];

export const seriesOf = (projectCode: string): Series[] =>
  TYPES.map((typeCode) => ({ projectCode, organizationCode: 'TEAM', typeCode, disciplineCode: 'STR' }));

/** A series that only imports write to. The demo's format prints `OWN-MEMO-MEP-2026-0001`. */
export const IMPORTED: Series = {
  projectCode: 'DEMO',
  organizationCode: 'OWN',
  typeCode: 'MEMO',
  disciplineCode: 'MEP',
};

export function importedNumber(sequence: number, date: string): string {
  const { organizationCode, typeCode, disciplineCode } = IMPORTED;
  const digits = String(sequence).padStart(4, '0');
  return `${organizationCode}-${typeCode}-${disciplineCode}-${date.slice(0, 4)}-${digits}`;
}
