import { Field, Float, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A node ID that a process holds.' })
export class NodeLease {
  @Field(() => Int, { description: 'The node ID.' })
  node!: number;

  @Field(() => String, { description: 'Host and process, and the moment it started.' })
  holder!: string;

  @Field(() => Float, { description: 'Until its window ends, unless it is renewed.' })
  secondsLeft!: number;

  @Field(() => Boolean, { description: 'Whether the process that answers holds it.' })
  isMine!: boolean;
}

@ObjectType({ description: 'The node IDs of the fleet.' })
export class NodePool {
  @Field(() => Int, { description: 'Node IDs that there are.' })
  nodeCount!: number;

  @Field(() => Int, { description: 'Nodes that nobody holds.' })
  freeNodeCount!: number;

  @Field(() => Float, { description: 'Above 0 while Redis, having lost its memory, grants no new node.' })
  quarantineLeftMs!: number;
}
