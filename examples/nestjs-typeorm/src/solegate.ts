import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { createNumbering, type Numbering } from '@solegate/doc-numbering';
import { openRedis, type RedisConnection } from '@solegate/redis-infra';
import { createTsidGenerator } from '@solegate/tsid-core';
import { leaseNode, type NodeLease } from '@solegate/tsid-core/node-lease';
import { generateTsidKeys } from '@solegate/tsid-core/typeorm';
import { DataSource } from 'typeorm';

export const INVOICES = { space: 'shop', series: 'INV', actor: 'example' };

/** Opens what the packages need when the application starts, and gives it back when it ends. */
@Injectable()
export class Solegate implements OnModuleInit, OnApplicationShutdown {
  numbering!: Numbering;
  #lease!: NodeLease;
  readonly #connections: RedisConnection[] = [];

  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    const [decision, background] = await Promise.all([this.#open('decision'), this.#open('background')]);
    // For a first start; a fleet that is running leaves `trustEmptyStore` out.
    this.#lease = await leaseNode({ redis: background, trustEmptyStore: true });
    generateTsidKeys(this.dataSource, createTsidGenerator({ lease: this.#lease }));
    this.numbering = createNumbering({ database: this.dataSource, redis: decision });
    await this.numbering.defineSeries({ ...INVOICES, timeZone: 'UTC' });
    await this.numbering.saveFormat({ ...INVOICES, template: '{TYPE}-{YEAR}-{SEQ:5}' });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.numbering.close(), this.#lease.release()]);
    for (const connection of this.#connections) connection.disconnect();
  }

  async #open(purpose: 'decision' | 'background'): Promise<RedisConnection> {
    const connection = await openRedis({ url: process.env.REDIS_URL ?? 'redis://127.0.0.1', purpose });
    this.#connections.push(connection);
    return connection;
  }
}
