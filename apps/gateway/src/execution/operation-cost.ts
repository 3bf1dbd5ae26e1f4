import {
  type ArgumentNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { badInput } from '../errors/gateway-error.js';

/** A page of 100 trips with every field costs about 9,500. */
const COST_MAX = 12_000;
/** Enough for a text of 1,000 characters; one that can be longer costs as much for each 1,000. */
const LEAF_COST = 1;
const LONG_TEXT_COSTS: Readonly<Record<string, number>> = { body: 20 };
const OBJECT_COST = 2;
/** What is nested costs more, because it is loaded later. */
const DEPTH_FACTOR = 1.5;
/** The argument that multiplies the cost of a field; greater pages are refused where they are read. */
const PAGE_ARGUMENT = 'first';
const PAGE_MAX = 100;

type Variables = Readonly<Record<string, unknown>>;

/**
 * Returns the variables that the operation declares, with the defaults of those that were not sent. Numbers in them are
 * those that resolvers will get, since coercion changes no number.
 */
export function withDefaults(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables = {},
): Variables {
  const declared: Record<string, unknown> = {};
  for (const { variable, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const sent = variables[name];
    if (sent !== undefined) declared[name] = sent;
    else if (defaultValue !== undefined) declared[name] = valueFromASTUntyped(defaultValue);
  }
  return declared;
}

/** Limits how much one operation may load. */
export class OperationCosts {
  readonly #known = new WeakMap<OperationDefinitionNode, CostReader>();
  readonly #defaults: PageSizes;

  constructor(schema: GraphQLSchema) {
    this.#defaults = pageSizesOf(schema);
  }

  /**
   * Checks an operation, however the sizes of its pages are stated: in the document, in variables, or by default.
   *
   * @param variables see {@link withDefaults}
   * @throws {GatewayError} TOO_COSTLY
   */
  check(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables | undefined): void {
    let reader = this.#known.get(operation);
    if (reader === undefined) {
      reader = new CostReader(document, operation.selectionSet, this.#defaults);
      this.#known.set(operation, reader);
    }
    const cost = reader.costWith(variables);
    if (cost <= COST_MAX) return;
    throw badInput(
      'TOO_COSTLY',
      `The operation costs ${Math.round(cost)}, of at most ${COST_MAX}; request smaller pages or fewer fields.`,
    );
  }
}

/** Default page size, by the name of the field. */
type PageSizes = ReadonlyMap<string, number>;

function pageSizesOf(schema: GraphQLSchema): PageSizes {
  const sizes = new Map<string, number>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const { name, args } of Object.values(type.getFields())) {
      const size: unknown = args.find((argument) => argument.name === PAGE_ARGUMENT)?.defaultValue;
      if (typeof size === 'number') sizes.set(name, size);
    }
  }
  return sizes;
}

/** The cost of one operation. Computed once, unless it depends on variables. */
class CostReader {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Cost of each fragment, so that fragments that use each other are not walked again and again. */
  readonly #ofFragment = new Map<string, number>();
  #variables: Variables = {};
  #dependsOnVariables = false;
  #cost: number | undefined;

  constructor(
    document: DocumentNode,
    private readonly selectionSet: SelectionSetNode,
    private readonly defaults: PageSizes,
  ) {
    this.#fragments = new Map(
      document.definitions
        .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
        .map((fragment) => [fragment.name.value, fragment]),
    );
  }

  costWith(variables: Variables = {}): number {
    if (this.#cost !== undefined) return this.#cost;
    this.#variables = variables;
    this.#ofFragment.clear();
    const cost = this.#costOfAll(this.selectionSet);
    if (!this.#dependsOnVariables) this.#cost = cost;
    return cost;
  }

  #costOfAll({ selections }: SelectionSetNode): number {
    return selections.reduce((sum, selection) => sum + this.#costOf(selection), 0);
  }

  #costOf(selection: SelectionNode): number {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#costOfFragment(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.#costOfAll(selection.selectionSet);
    const { selectionSet, name, arguments: given = [] } = selection;
    if (selectionSet === undefined) return LONG_TEXT_COSTS[name.value] ?? LEAF_COST;
    if (name.value === '__schema') return 0;
    return (OBJECT_COST + DEPTH_FACTOR * this.#costOfAll(selectionSet)) * this.#sizeOf(name.value, given);
  }

  #costOfFragment(name: string): number {
    const cached = this.#ofFragment.get(name);
    if (cached !== undefined) return cached;
    const fragment = this.#fragments.get(name);
    const cost = fragment === undefined ? 0 : this.#costOfAll(fragment.selectionSet);
    this.#ofFragment.set(name, cost);
    return cost;
  }

  #sizeOf(field: string, given: readonly ArgumentNode[]): number {
    const byDefault = this.defaults.get(field) ?? 1;
    const page = given.find(({ name }) => name.value === PAGE_ARGUMENT)?.value;
    if (page === undefined) return byDefault;
    if (page.kind === Kind.VARIABLE) this.#dependsOnVariables = true;
    // A variable that was not sent leaves the default.
    const size = valueFromASTUntyped(page, this.#variables) ?? byDefault;
    return typeof size === 'number' ? Math.min(Math.max(size, 1), PAGE_MAX) : 1;
  }
}
