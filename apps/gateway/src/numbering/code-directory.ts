import type { CodeDirectory, CodeQuery } from '@solegate/doc-numbering';
import type { MasterData } from '../master-data/master-data.js';

/**
 * The codes that numbers are printed with, from master data. Number spaces are projects by ID, so a project's code is
 * looked up by it; the other tokens are given as codes already and need only exist.
 */
export class MasterDataCodes implements CodeDirectory {
  constructor(private readonly data: MasterData) {}

  async find({ space, token, reference }: CodeQuery): Promise<string | undefined> {
    switch (token) {
      case 'PROJECT': {
        const [project] = await this.data.projects.findByIds([BigInt(space)]);
        return project?.code;
      }
      case 'ORG':
      case 'ORIGINATOR':
      case 'RECIPIENT':
        return (await this.data.organizations.find(reference))?.code;
      case 'TYPE':
        return (await this.data.types.find(reference))?.code;
      case 'DISCIPLINE':
        return (await this.data.disciplines.find(reference))?.code;
      default:
        return reference;
    }
  }
}
