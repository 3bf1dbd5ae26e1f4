import type { ColumnOptions } from 'typeorm';

export const tsidColumn = {
  type: 'bigint',
  transformer: { from: (text: string) => BigInt(text), to: (id: bigint) => String(id) },
} satisfies ColumnOptions;
