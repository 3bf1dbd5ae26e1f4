import type { CodeDirectory, CodeQuery } from '@solegate/doc-numbering';
import type { CodedRow } from '../../master-data/coded-row.js';
import type { MasterData } from '../../master-data/master-data.js';

/**
 * Looks up the codes that numbers are printed with in master data. A number space is the ID of a project, which its
 * code is looked up by; the other tokens are already given as codes and only need to exist.
 */
export class MasterDataCodes implements CodeDirectory {
  constructor(private readonly data: MasterData) {}

  find(query: CodeQuery): string | undefined | Promise<string | undefined> {
    const row = this.#rowOf(query);
    return row instanceof Promise ? row.then((found) => found?.code) : row?.code;
  }

  #rowOf({
    space,
    token,
    reference,
  }: CodeQuery): Pick<CodedRow, 'code'> | undefined | Promise<CodedRow | undefined> {
    switch (token) {
      case 'PROJECT':
        return this.data.projects.findById(BigInt(space));
      case 'ORG':
      case 'ORIGINATOR':
      case 'RECIPIENT':
        return this.data.organizations.find(reference);
      case 'TYPE':
        return this.data.types.find(reference);
      case 'DISCIPLINE':
        return this.data.disciplines.find(reference);
      default:
        return { code: reference };
    }
  }
}
