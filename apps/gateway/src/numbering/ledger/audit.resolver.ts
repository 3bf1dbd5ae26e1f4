import type { Numbering } from '@solegate/doc-numbering';
import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type Connection, connectionType } from '../../graphql/connection.type.js';
import { PageArgs, pageOf, readPage } from '../../graphql/page.args.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { MasterData } from '../../master-data/master-data.js';
import { Person } from '../../master-data/person.js';
import { projectOfList } from '../../master-data/project-access.js';
import {
  DocumentNumberEvent,
  DocumentNumberEventFilter,
  type DocumentNumbersReconciled,
  ReconcileDocumentNumbersInput,
  ReconcileDocumentNumbersResult,
} from './audit.type.js';

const RECONCILE_MAX_MS = 600_000;

const EventConnection = connectionType('DocumentNumberEvent', DocumentNumberEvent);

/** Queries for auditors: what happened, and whether the ledger is consistent. */
@Resolver(() => DocumentNumberEvent)
export class AuditResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
  ) {}

  @Query(() => EventConnection, {
    description: 'Lists audit events of numbers, formats and series, oldest first.',
  })
  async documentNumberEvents(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => DocumentNumberEventFilter, {
      nullable: true,
      description: 'Which events to list. Default: all.',
    })
    filter?: DocumentNumberEventFilter,
  ): Promise<Connection<DocumentNumberEvent>> {
    const request = readPage(page);
    const project = await projectOfList(filter?.projectCode, this.data, identity);
    const found = await this.numbering.listEvents(
      {
        ...(project && { space: String(project.id) }),
        ...(typeof filter?.number === 'string' && { number: filter.number }),
      },
      request,
    );
    return pageOf(found, page, (event) => event);
  }

  @FieldResolver(() => Person, {
    name: 'actor',
    nullable: true,
    description: 'The person who acted; null if the actor is not a known person.',
  })
  async person(
    @Root() { actor }: DocumentNumberEvent,
    @Ctx() context: RequestContext,
  ): Promise<Person | undefined> {
    return this.data.loaders(context).personOf(actor);
  }

  @Mutation(() => ReconcileDocumentNumbersResult, {
    description: 'Checks the ledger, and cancels overdue reservations.',
  })
  async reconcileDocumentNumbers(
    @Arg('input', () => ReconcileDocumentNumbersInput, { description: 'Which part of the ledger to check.' })
    { projectCode, typeCode, unattachedAfterMs }: ReconcileDocumentNumbersInput,
    @Ctx() context: RequestContext,
  ): Promise<DocumentNumbersReconciled> {
    const project = await projectOfList(projectCode, this.data, context.identity);
    const findings = await this.numbering.reconcile({
      ...(project && { space: String(project.id) }),
      ...(typeof typeCode === 'string' && { series: typeCode }),
      ...(typeof unattachedAfterMs === 'number' && { unattachedAfterMs }),
      timeoutMs: context.timeoutMs(RECONCILE_MAX_MS),
    });
    return {
      findings: findings.map((finding) =>
        'counterCount' in finding ? { ...finding, count: finding.counterCount } : finding,
      ),
    };
  }
}
