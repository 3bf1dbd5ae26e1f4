import 'reflect-metadata';
import { Body, Controller, Inject, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { numberingMigrations } from '@solegate/doc-numbering/typeorm';
import { DataSource } from 'typeorm';
import { CreateOrders1700000000000, Order } from './order.js';
import { INVOICES, Solegate } from './solegate.js';

@Controller('orders')
class OrdersController {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Solegate) private readonly solegate: Solegate,
  ) {}

  /** An order and the number of its invoice: both, or neither. */
  @Post()
  create(@Body() { customer }: { customer: string }): Promise<{ id: string; invoice: string }> {
    return this.dataSource.transaction(async (manager) => {
      const { id } = await manager.save(manager.create(Order, { customer }));
      // Last: until the commit everybody else waits for this counter.
      const request = { ...INVOICES, document: String(id) };
      const { number } = await this.solegate.numbering.issueIn(manager, request);
      return { id: String(id), invoice: number };
    });
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL ?? '',
      entities: [Order],
      migrations: [...numberingMigrations, CreateOrders1700000000000],
      migrationsRun: true,
    }),
  ],
  controllers: [OrdersController],
  providers: [Solegate],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.enableShutdownHooks();
await app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
console.log(`POST ${await app.getUrl()}/orders`);
