import { type ClassType, Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Where a page stands in its list (Relay).' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there is a later page.' })
  hasNextPage: boolean;

  @Field(() => Boolean, { description: 'Whether the page is a later one; pages are read forwards.' })
  hasPreviousPage: boolean;

  @Field(() => String, { description: 'Cursor of the first entry.', nullable: true })
  startCursor: string | undefined;

  @Field(() => String, { nullable: true, description: 'Give it as `after` to read the next page.' })
  endCursor: string | undefined;

  constructor(cursors: readonly string[], hasNextPage: boolean, hasPreviousPage: boolean) {
    this.hasNextPage = hasNextPage;
    this.hasPreviousPage = hasPreviousPage;
    this.startCursor = cursors[0];
    this.endCursor = cursors.at(-1);
  }
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
  @ObjectType(`${name}Edge`, { description: 'An entry and where it stands in its list.' })
  class NodeEdge implements Edge<Node> {
    @Field(() => nodeType, { description: 'The entry.' })
    node!: Node;

    @Field(() => String, { description: 'Give it as `after` to read what comes behind it.' })
    cursor!: string;
  }

  @ObjectType(`${name}Connection`, { description: 'One page of a list (Relay).' })
  class NodeConnection implements Connection<Node> {
    @Field(() => [NodeEdge], { description: 'The entries of the page.' })
    edges!: NodeEdge[];

    @Field(() => PageInfo, { description: 'Where the page stands.' })
    pageInfo!: PageInfo;
  }

  return NodeConnection;
}
