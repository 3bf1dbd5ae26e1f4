import { explain, toBase62, toCrockford, toHex } from '@solegate/tsid-core';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { Ctx, Int, Resolver, Root } from 'type-graphql';
import { badInput, unavailable } from '../errors/gateway-error.js';
import { Arg, FieldResolver, Query } from '../graphql/described.js';
import { PerRequest, RequestContext } from '../graphql/request-context.js';
import { SoleMutation } from '../graphql/results.js';
import { type FleetList, isUnanswered, type Node } from './node.js';
import { TsidHolder, TsidParts, TsidsGenerated } from './tsid-parts.type.js';

const COUNT_MAX = 10_000;

@Resolver(() => TsidParts)
export class TsidResolver {
  readonly #fleet: PerRequest<Promise<FleetList>>;

  constructor(
    private readonly node: Node,
    listFleet: () => Promise<FleetList>,
  ) {
    this.#fleet = new PerRequest(listFleet);
  }

  @Query(() => TsidParts, 'Splits a TSID into its parts; any 64-bit number is valid.')
  tsid(@Arg('id', () => TsidScalar, 'The TSID: any 64-bit number.') id: bigint): TsidParts {
    return { id, ...explain(id), crockford: toCrockford(id), base62: toBase62(id), hex: toHex(id) };
  }

  @FieldResolver(
    () => TsidHolder,
    'Who held the node when the ID was made. Only the last holder of each node is remembered: null if an earlier ' +
      'holder, or no one in this fleet, made the ID, and for callers who are not administrators.',
    { nullable: true },
  )
  async holder(
    @Root() { time, node }: TsidParts,
    @Ctx() context: RequestContext,
  ): Promise<TsidHolder | undefined> {
    if (!context.identity.roles.has('admin')) return undefined;
    const fleet = await this.#fleet.of(context);
    if (isUnanswered(fleet, node)) {
      const message = 'The store that grants this node does not answer, so its holder is unknown; try again.';
      throw unavailable('STORE_UNAVAILABLE', message, 1_000);
    }
    const lease = [...fleet.leases, ...fleet.ended].find((listed) => listed.node === node);
    const timeMs = time.getTime();
    if (lease === undefined || lease.floorMs === 0) return undefined;
    if (timeMs < lease.floorMs || timeMs >= lease.ceilingMs) return undefined;
    const { holder, floorMs, ceilingMs } = lease;
    return { holder, heldFrom: new Date(floorMs), heldUntil: new Date(ceilingMs) };
  }

  @SoleMutation(
    () => TsidsGenerated,
    'Generates unique IDs in ascending order; no other process ever generates any of them.',
    'The new IDs.',
  )
  generateTsids(
    @Arg('count', () => Int, 'How many IDs, 1 to 10,000.', { defaultValue: 1 }) count: number,
  ): TsidsGenerated {
    if (count < 1 || count > COUNT_MAX) throw badInput('COUNT', `"count" must be 1 to ${COUNT_MAX}.`);
    return { ids: this.node.mintMany(count) };
  }
}
