import { jestPreset } from '@solegate/testkit/jest-preset';

// A drill starts a fleet with its stores: with two at a time, timing would depend on the load of the machine.
export default jestPreset({ maxWorkers: 1 });
