import { type ClassType, Field, ObjectType } from 'type-graphql';

/** How a page ends. */
export interface PageEnd {
  readonly hasNextPage: boolean;
  /** Default: the cursor of its last entry. */
  readonly endCursor?: string | undefined;
}

@ObjectType({ description: 'Position of a page in its list (Relay).' })
class PageInfo {
  @Field(() => Boolean, { description: 'Whether more entries follow.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, {
    description: 'Whether the page was read with `after`; lists are read forward only.',
  })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    description: 'Cursor of the first entry; null if the page is empty.',
    nullable: true,
  })
  startCursor!: string | undefined;

  @Field(() => String, {
    nullable: true,
    description:
      'Where the page ends; null if the list does, too. Pass it as `after` to read the next page, even after an empty one.',
  })
  endCursor!: string | undefined;
}

interface Edge<Node> {
  readonly node: Node;
  readonly cursor: string;
}

/** One page of a list in Relay's form. */
export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: PageInfo;
}

/** The GraphQL types `<name>Edge` and `<name>Connection`. */
export function connectionType<Node extends object>(
  name: string,
  nodeType: ClassType<Node>,
): ClassType<Connection<Node>> {
  @ObjectType(`${name}Edge`, { description: 'An entry and its cursor (Relay).' })
  class NodeEdge implements Edge<Node> {
    @Field(() => nodeType, { description: 'The entry.' })
    node!: Node;

    @Field(() => String, {
      description: 'Opaque cursor. Pass it as `after` to read the entries that follow.',
    })
    cursor!: string;
  }

  @ObjectType(`${name}Connection`, { description: 'One page of a list (Relay).' })
  class NodeConnection implements Connection<Node> {
    @Field(() => [NodeEdge], { description: 'The entries of the page.' })
    edges!: NodeEdge[];

    @Field(() => PageInfo, { description: 'Position of the page in the list.' })
    pageInfo!: PageInfo;
  }

  return NodeConnection;
}
