import { type Aggregator, Counter, Gauge, Histogram, type Registry } from 'prom-client';

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

export const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
export const COUNTS = [1, 2, 5, 10, 25, 50, 100, 250, 1_000];

/** Creates histograms with these upper bounds. */
export function histogramOf(registry: Registry, buckets: number[]) {
  return <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Histogram<Label>({ name, help, buckets, labelNames, registers: [registry] });
}
