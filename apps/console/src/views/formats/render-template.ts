import type { SeriesCodes } from '../../parts/series-choice.js';

/** The token spellings that the page can render itself. */
const CODES: Readonly<Record<string, keyof SeriesCodes>> = {
  PROJECT: 'projectCode',
  PROJECT_CODE: 'projectCode',
  ORG: 'organizationCode',
  ORG_CODE: 'organizationCode',
  ORIGINATOR: 'organizationCode',
  ORIGINATOR_CODE: 'organizationCode',
  TYPE: 'typeCode',
  TYPE_CODE: 'typeCode',
  CORR_TYPE: 'typeCode',
  CORR_TYPE_CODE: 'typeCode',
  DISCIPLINE: 'disciplineCode',
  DISCIPLINE_CODE: 'disciplineCode',
};

/**
 * Renders a template as it would print a number today. This is only a preview: the gateway decides whether the template
 * can be saved, and tokens that need more than these codes are left as written.
 */
export function renderTemplate(template: string, codes: SeriesCodes, sequence: number, today: Date): string {
  return template.replace(/\{([A-Z_]+)(?::(\d+))?\}/g, (written: string, name: string, width?: string) => {
    const code = CODES[name];
    if (code !== undefined) return codes[code];
    if (name === 'SEQ') return String(sequence).padStart(Number(width ?? 1), '0');
    return dateToken(name, today) ?? written;
  });
}

function dateToken(name: string, today: Date): string | undefined {
  const [year = '', month, day] = today.toISOString().slice(0, 10).split('-');
  switch (name) {
    case 'YEAR':
    case 'YYYY':
      return year;
    case 'YY':
      return year.slice(2);
    case 'MONTH':
    case 'MM':
      return month;
    case 'DAY':
    case 'DD':
      return day;
    default:
      return undefined;
  }
}
