import type { Numbering } from '@solegate/doc-numbering';
import { Args, Ctx, Resolver, Root } from 'type-graphql';
import { type Connection, connectionType } from '../../graphql/connection.type.js';
import { Arg, FieldResolver, Query } from '../../graphql/described.js';
import { given } from '../../graphql/given.js';
import { PageArgs, pageOf, readPage } from '../../graphql/page.args.js';
import { RequestContext } from '../../graphql/request-context.js';
import { SoleMutation } from '../../graphql/results.js';
import type { MasterData } from '../../master-data/master-data.js';
import { Person } from '../../master-data/people.js';
import { projectOfList } from '../../master-data/project-access.js';
import {
  DocumentNumberEvent,
  DocumentNumberEventFilter,
  DocumentNumbersReconciled,
  ReconcileDocumentNumbersInput,
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

  @Query(() => EventConnection, 'Lists audit events of numbers, formats and series, oldest first.')
  async documentNumberEvents(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => DocumentNumberEventFilter, 'Which events to list. Default: all.', { nullable: true })
    filter?: DocumentNumberEventFilter,
  ): Promise<Connection<DocumentNumberEvent>> {
    const request = readPage(page);
    const project = await projectOfList(filter?.projectCode, this.data, identity);
    const found = await this.numbering.listEvents(
      given({ space: project && String(project.id), number: filter?.number }),
      request,
    );
    return pageOf(found, page, (event) => event);
  }

  @FieldResolver(() => Person, 'The person who acted; null if the actor is not a known person.', {
    name: 'actor',
    nullable: true,
  })
  async person(
    @Root() { actor }: DocumentNumberEvent,
    @Ctx() context: RequestContext,
  ): Promise<Person | undefined> {
    return this.data.loaders(context).personOf(actor);
  }

  @SoleMutation(
    () => DocumentNumbersReconciled,
    'Checks the ledger, and cancels overdue reservations.',
    'What the check found.',
  )
  async reconcileDocumentNumbers(
    @Arg('input', () => ReconcileDocumentNumbersInput, 'Which part of the ledger to check.')
    { projectCode, typeCode, unattachedAfterMs }: ReconcileDocumentNumbersInput,
    @Ctx() context: RequestContext,
  ): Promise<DocumentNumbersReconciled> {
    const project = await projectOfList(projectCode, this.data, context.identity);
    const findings = await this.numbering.reconcile({
      ...given({ space: project && String(project.id), series: typeCode, unattachedAfterMs }),
      timeoutMs: context.timeoutMs(RECONCILE_MAX_MS),
    });
    return {
      findings: findings.map((finding) =>
        'counterCount' in finding ? { ...finding, count: finding.counterCount } : finding,
      ),
    };
  }
}
