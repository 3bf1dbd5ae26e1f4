import type { PrintedAddress } from '@solegate/doc-numbering';
import { badInput } from '../../errors/gateway-error.js';
import { given } from '../../graphql/given.js';
import type { Identity } from '../../identity/identity.js';
import { faultOfCode } from '../../master-data/code.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOf } from '../../master-data/project-access.js';
import type { DocumentSeriesInput } from './document-series.input.js';

type GivenCodes = Pick<
  DocumentSeriesInput,
  'organizationCode' | 'disciplineCode' | 'recipientCode' | 'fields'
>;

/**
 * Resolves the counter that an input names: the project is the number space, the document type is the series, and those
 * of its codes that are dimensions of the series select the counter. Codes of master data are looked up first, so that a
 * wrong one takes no number; but a discipline can be the series' code for none, so numbering looks that up.
 *
 * @throws {GatewayError} NOT_YOUR_PROJECT, UNKNOWN_CODE, INVALID_CODE
 */
export async function seriesAddressOf(
  input: DocumentSeriesInput,
  data: MasterData,
  identity: Identity,
): Promise<PrintedAddress> {
  const { recipientCode } = input;
  if (input.fields?.some(({ token }) => token === 'AUTHORITY')) {
    throw badInput(
      'INVALID_CODE',
      'An authority code is a rule of the series; give it there, as "authorityCode".',
    );
  }
  const [project, type] = await Promise.all([
    projectOf(input.projectCode, data, identity),
    data.types.get(input.typeCode),
    data.organizations.get(input.organizationCode),
    typeof recipientCode === 'string' ? data.organizations.get(recipientCode) : undefined,
  ]);
  return {
    space: String(project.id),
    series: type.code,
    fields: fieldsOf(input),
    otherPeriod: input.otherPeriod,
    ...given({ date: input.date }),
  };
}

/** Returns the codes of an input by token. @throws {GatewayError} INVALID_CODE */
export function fieldsOf({ organizationCode, disciplineCode, recipientCode, fields }: GivenCodes) {
  const codes = new Map([['ORG', organizationCode.normalize('NFC')]]);
  if (typeof disciplineCode === 'string') codes.set('DISCIPLINE', disciplineCode.normalize('NFC'));
  if (typeof recipientCode === 'string') codes.set('RECIPIENT', recipientCode.normalize('NFC'));
  for (const given of fields ?? []) {
    const code = given.code.normalize('NFC');
    const fault = codes.has(given.token) ? 'Give the code of each token once.' : faultOfCode(code);
    if (fault !== undefined) throw badInput('INVALID_CODE', fault);
    codes.set(given.token, code);
  }
  return Object.fromEntries(codes);
}
