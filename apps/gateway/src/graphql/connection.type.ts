import type { ClassType } from 'type-graphql';
import { Fields, field, nullable, ObjectType } from './fields.js';

/** How a page ends. */
export interface PageEnd {
  readonly hasNextPage: boolean;
  /** Default: the cursor of its last entry. */
  readonly endCursor?: string | undefined;
}

@ObjectType('Position of a page in its list (Relay).')
class PageInfo extends Fields({
  hasNextPage: field(Boolean, 'Whether more entries follow.'),
  hasPreviousPage: field(Boolean, 'Whether the page was read with `after`; lists are read forward only.'),
  startCursor: nullable(String, 'Cursor of the first entry; null if the page is empty.'),
  endCursor: nullable(
    String,
    'Where the page ends; null if the list does, too. Pass it as `after` to read the next page, even after an empty one.',
  ),
}) {}

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
  @ObjectType('An entry and its cursor (Relay).', { name: `${name}Edge` })
  class NodeEdge extends Fields({
    node: field(nodeType as ClassType, 'The entry.'),
    cursor: field(String, 'Opaque cursor. Pass it as `after` to read the entries that follow.'),
  }) {}

  @ObjectType('One page of a list (Relay).', { name: `${name}Connection` })
  class NodeConnection extends Fields({
    edges: field([NodeEdge], 'The entries of the page.'),
    pageInfo: field(PageInfo, 'Position of the page in the list.'),
  }) {}

  return NodeConnection as ClassType as ClassType<Connection<Node>>;
}
