import { after } from './events.js';
import { FIRST } from './explore.js';
import { CURRENT_RULES } from './lease-rules.js';
import { type Action, actionsOf, emptyWorld, NOTHING_ASSUMED, type World } from './world.js';

/** Every order of so many events after the first start, each state reached once per order. */
export function everyOrder(depth: number): Action[][] {
  let orders: { readonly world: World; readonly order: Action[] }[] = [
    { world: after(emptyWorld, FIRST, CURRENT_RULES).world, order: [FIRST] },
  ];
  for (let level = 0; level < depth; level++) {
    orders = orders.flatMap(({ world, order }) =>
      actionsOf(world, { depth, faultMax: depth, assumed: NOTHING_ASSUMED }).map((action) => ({
        world: after(world, action, CURRENT_RULES).world,
        order: [...order, action],
      })),
    );
  }
  return orders.map(({ order }) => order);
}

/** Random orders of events, the same for the same seed. Two of three events are no fault. */
export function* randomOrders(count: number, length: number, seed: number): Generator<Action[]> {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let made = 0; made < count; made++) {
    const order = [FIRST];
    let { world } = after(emptyWorld, FIRST, CURRENT_RULES);
    while (order.length < length) {
      const faultMax = random(3) === 0 ? Number.POSITIVE_INFINITY : 0;
      const actions = actionsOf(world, { depth: length, faultMax, assumed: NOTHING_ASSUMED });
      const action = actions[random(actions.length)] as Action;
      order.push(action);
      world = after(world, action, CURRENT_RULES).world;
    }
    yield order;
  }
}
