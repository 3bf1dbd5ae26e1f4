import { TsidScalar } from '@solegate/tsid-core/graphql';
import { Args, Ctx, Resolver } from 'type-graphql';
import { type Connection, connectionType } from '../graphql/connection.type.js';
import { Arg, Query } from '../graphql/described.js';
import { idConnection, PageArgs, readIdCursor, readPageSize } from '../graphql/page.args.js';
import { RequestContext } from '../graphql/request-context.js';
import { CorrespondenceType, Discipline, Organization } from '../master-data/coded-row.js';
import type { MasterData } from '../master-data/master-data.js';
import { isOfCaller, projectOfList } from '../master-data/project-access.js';
import { defineProject, defineReferences } from '../master-data/resolver-methods.js';
import { NumberMutation, orRefusal, type Refused } from '../numbering/issue/issue-refusals.type.js';
import { Correspondence, CorrespondenceFilter, CreateCorrespondenceInput } from './correspondence.js';
import { type CreateCorrespondenceParts, createCorrespondence } from './create-correspondence.js';

const CorrespondenceConnection = connectionType('Correspondence', Correspondence);

@Resolver(() => Correspondence)
export class CorrespondenceResolver {
  readonly data: MasterData;

  constructor(private readonly parts: CreateCorrespondenceParts) {
    this.data = parts.data;
  }

  @Query(() => Correspondence, 'Returns one document, or null if there is none that the caller can access.', {
    nullable: true,
  })
  async correspondence(
    @Arg('id', () => TsidScalar, 'ID of the document.') id: bigint,
    @Ctx() context: RequestContext,
  ): Promise<Correspondence | undefined> {
    const document = await this.parts.store.load(id, context);
    const isVisible = document && (await isOfCaller(document.projectId, this.data, context.identity));
    return isVisible ? document : undefined;
  }

  @Query(() => CorrespondenceConnection, 'Lists documents, newest first.')
  async correspondences(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => CorrespondenceFilter, 'Which documents to list. Default: all.', { nullable: true })
    filter?: CorrespondenceFilter,
  ): Promise<Connection<Correspondence>> {
    const first = readPageSize(page);
    const after = readIdCursor(page);
    const { data, store } = this.parts;
    const project = await projectOfList(filter?.projectCode, data, identity);
    const type = typeof filter?.typeCode === 'string' ? await data.types.get(filter.typeCode) : undefined;
    const rows = await store.list({ projectId: project?.id, typeId: type?.id }, { first, after });
    return idConnection(rows.slice(0, first), page, rows.length > first);
  }

  @NumberMutation(
    () => Correspondence,
    'Creates a document: its row, number and idempotency key are stored in one commit.',
    'The document, or why it could not be numbered.',
  )
  async createCorrespondence(
    @Arg('input', () => CreateCorrespondenceInput, 'The content, and the series that numbers it.')
    input: CreateCorrespondenceInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<Correspondence | Refused> {
    return orRefusal(createCorrespondence(input, identity, this.parts));
  }
}

defineProject(CorrespondenceResolver.prototype, ({ projectId }: Correspondence) => projectId);
defineReferences<Correspondence>(CorrespondenceResolver.prototype, {
  organization: [
    Organization,
    'The organization it comes from.',
    ({ organizationId }, { organizations }) => organizations.load(organizationId),
  ],
  type: [CorrespondenceType, 'The document type.', ({ typeId }, { types }) => types.load(typeId)],
  discipline: [
    Discipline,
    'The discipline it belongs to, if any.',
    ({ disciplineId }, { disciplines }) => (disciplineId ? disciplines.load(disciplineId) : null),
  ],
});
