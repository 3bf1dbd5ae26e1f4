import type { Numbering, NumberSearch } from '@solegate/doc-numbering';
import { Arg, Ctx, Field, InputType, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { badInput } from '../../errors/gateway-error.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { MasterData } from '../../master-data/master-data.js';
import { Person } from '../../master-data/person.js';
import { projectOf } from '../../master-data/project-access.js';
import { DocumentNumber } from './document-number.type.js';
import { NumberConditions } from './ledger.inputs.js';
import { isGiven, ownSpaces } from './ledger-filter.js';

const PAGE_SIZE_MAX = 100;
const PEOPLE_MAX = 10;

@InputType({ description: 'What a person remembers of a number, and other conditions, combined with AND.' })
class DocumentNumberSearchInput extends NumberConditions {
  @Field(() => String, {
    description:
      'The beginning of the number, in any case, or its sequence, or the ID of its document: 1 to 100 characters.',
  })
  text!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Code of one project. Default: every project the caller can access.',
  })
  projectCode?: string;
}

@ObjectType({ description: 'Numbers found by a search, and people whom its text names.' })
class DocumentNumberSearchResult {
  @Field(() => [DocumentNumber], { description: 'The page of numbers, newest first.' })
  numbers!: DocumentNumber[];

  @Field(() => Int, {
    description: 'How many of the first 1,000 numbers with this text meet the other conditions.',
  })
  total!: number;

  @Field(() => Boolean, {
    description:
      'Whether more than 1,000 numbers have this text: of these, the last in their order were looked at.',
  })
  isMore!: boolean;

  @Field(() => [Person], {
    description: `For administrators, up to ${PEOPLE_MAX} people whose names begin with the text; else empty, since riders are among them.`,
  })
  people!: Person[];
}

/** Finds numbers by what a person remembers of them. */
@Resolver()
export class SearchResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
  ) {}

  @Query(() => DocumentNumberSearchResult, {
    description: 'Finds numbers by their beginning, sequence or document, and people by their name.',
  })
  async searchDocumentNumbers(
    @Arg('search', () => DocumentNumberSearchInput, { description: 'What to search for.' })
    { text, projectCode, ...conditions }: DocumentNumberSearchInput,
    @Arg('first', () => Int, {
      defaultValue: 20,
      description: `Page size, 1 to ${PAGE_SIZE_MAX}.`,
    })
    first: number,
    @Arg('skip', () => Int, { defaultValue: 0, description: 'Numbers to skip, 0 to 1,000.' })
    skip: number,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberSearchResult> {
    if (first < 1 || first > PAGE_SIZE_MAX) {
      throw badInput('PAGE_SIZE', `"first" must be 1 to ${PAGE_SIZE_MAX}; read the next page with "skip".`);
    }
    const scope = isGiven(projectCode)
      ? { spaces: [String((await projectOf(projectCode, this.data, identity)).id)] }
      : await ownSpaces(this.data, identity);
    const { actorId, ...others } = conditions;
    const wanted = Object.entries({ ...others, actor: actorId }).filter(([, value]) => isGiven(value));
    const search = { ...Object.fromEntries(wanted), ...scope, text, first, skip } as NumberSearch;
    const [found, people] = await Promise.all([
      this.numbering.searchNumbers(search),
      identity.roles.has('admin') ? this.data.people.findByName(text, PEOPLE_MAX) : [],
    ]);
    return { ...found, numbers: found.entries.map(DocumentNumber.ofLedger), people };
  }
}
