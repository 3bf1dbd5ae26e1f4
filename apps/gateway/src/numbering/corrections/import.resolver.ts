import type { Numbering } from '@solegate/doc-numbering';
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { badInput } from '../../errors/gateway-error.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { MasterData, MintRowId } from '../../master-data/master-data.js';
import { projectOf } from '../../master-data/project-access.js';
import { fieldsOf } from '../series/series-address.js';
import { ImportDocumentNumbersInput, ImportDocumentNumbersResult, type ImportReport } from './import.type.js';

const ROWS_MAX = 1_000;
const IMPORT_MAX_MS = 600_000;

@Resolver()
export class ImportResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly rowId: MintRowId,
  ) {}

  @Mutation(() => ImportDocumentNumbersResult, { description: 'Imports numbers that another system issued.' })
  async importDocumentNumbers(
    @Arg('input', () => ImportDocumentNumbersInput, { description: 'The numbers, and how to treat holes.' })
    input: ImportDocumentNumbersInput,
    @Ctx() context: RequestContext,
  ): Promise<ImportReport> {
    const { identity } = context;
    if (input.rows.length < 1 || input.rows.length > ROWS_MAX) {
      throw badInput('ROW_COUNT', `Import 1 to ${ROWS_MAX} rows per call.`);
    }
    const project = await projectOf(input.projectCode, this.data, identity);
    const space = String(project.id);
    return this.numbering.importNumbers({
      space,
      rows: input.rows.map((row) => ({
        series: row.typeCode,
        fields: fieldsOf(row),
        sequence: row.sequence,
        date: row.date,
        ...this.rowId(space),
        ...(row.number && { number: row.number }),
      })),
      holes: input.recordHoles ? 'record' : 'refuse',
      dryRun: input.dryRun,
      actor: String(identity.subjectId),
      timeoutMs: context.timeoutMs(IMPORT_MAX_MS),
      ...(input.reason && { reason: input.reason }),
    });
  }
}
