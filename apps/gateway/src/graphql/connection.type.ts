import { type ClassType, Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Where a page stands in its list (Relay).' })
export class PageInfo {
  @Field(() => Boolean)
  hasNextPage: boolean;

  @Field(() => Boolean, { description: 'Whether the page is a later one; pages are read forwards.' })
  hasPreviousPage: boolean;

  @Field(() => String, { nullable: true })
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
  @ObjectType(`${name}Edge`)
  class NodeEdge implements Edge<Node> {
    @Field(() => nodeType)
    node!: Node;

    @Field(() => String)
    cursor!: string;
  }

  @ObjectType(`${name}Connection`)
  class NodeConnection implements Connection<Node> {
    @Field(() => [NodeEdge])
    edges!: NodeEdge[];

    @Field(() => PageInfo)
    pageInfo!: PageInfo;
  }

  return NodeConnection;
}
