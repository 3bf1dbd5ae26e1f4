import { type NodeSource, type NodeUser, type NodeWindow, TSID_42_10_12 } from '../../src/index.js';

/** A source of windows that the test moves by hand. */
export class ManualSource implements NodeSource {
  readonly layout = TSID_42_10_12;
  readonly namespace: string;
  readonly runAheadMaxMs = 1_000;
  current: NodeWindow | 'LOST' | 'RELEASED';
  user: NodeUser | undefined;

  constructor(namespace: string, window: NodeWindow) {
    this.namespace = namespace;
    this.current = window;
  }

  window() {
    return this.current;
  }

  attach(user: NodeUser) {
    this.user = user;
    return () => {
      this.user = undefined;
    };
  }

  change(window: NodeWindow | 'LOST' | 'RELEASED') {
    this.current = window;
    this.user?.windowChanged();
  }
}
