import { Field, Float, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A node ID held by a process.' })
export class NodeLease {
  @Field(() => Int, { description: 'The node ID.' })
  node!: number;

  @Field(() => String, { description: 'Host, process ID and start time of the process.' })
  holder!: string;

  @Field(() => Float, { description: 'Seconds until its window ends, unless renewed.' })
  secondsLeft!: number;

  @Field(() => Boolean, { description: 'Whether the responding process holds it.' })
  isMine!: boolean;
}

@ObjectType({ description: 'The node IDs of the fleet.' })
export class NodePool {
  @Field(() => Int, { description: 'Total number of node IDs.' })
  nodeCount!: number;

  @Field(() => Int, { description: 'Nodes that are not held.' })
  freeNodeCount!: number;

  @Field(() => Float, {
    description: 'Milliseconds until Redis, after losing its data, grants new nodes again; otherwise 0.',
  })
  quarantineLeftMs!: number;
}
