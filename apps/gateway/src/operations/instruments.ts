import { type Aggregator, Counter, Gauge, type Registry } from 'prom-client';

type Value = number | undefined;

/** Registers gauges that are read when metrics are collected; one without a value is absent. */
export function gaugeOf(registry: Registry) {
  /** @param aggregator how the values of several workers are combined. Default: their sum */
  return (name: string, help: string, read: () => Value | Promise<Value>, aggregator: Aggregator = 'sum') => {
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      async collect() {
        const value = await read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  };
}

/** Creates counters. */
export function counterOf(registry: Registry) {
  return <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers: [registry] });
}
