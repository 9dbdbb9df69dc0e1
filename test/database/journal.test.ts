import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type Database, fresh, type MigrationModule, migrate, rollback } from '../../src/database.ts'
import { createScratchDatabase, describeService, type ScratchDatabase } from '../services.ts'
import { createMigrationFolder, type MigrationFolder } from './migration-folder.ts'

type Stop = (at: string) => void

describeService('mysql', 'G15: a migration that stops half way goes on from there', () => {
  let scratch: ScratchDatabase
  let db: Database
  let folder: MigrationFolder
  beforeAll(async () => {
    scratch = await createScratchDatabase('mysql')
    db = createDatabase(scratch.url)
    folder = await createMigrationFolder({ 'a.mjs': '' })
  })
  afterAll(async () => {
    await db.destroy()
    await scratch.drop()
    await folder.remove()
  })
  beforeEach(async () => {
    const empty = await createMigrationFolder()
    await fresh({ db, folder: empty.path })
    await empty.remove()
  })

  const count = async (table: string): Promise<number> =>
    Number((await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]?.n)

  /** Runs, stops at a place, runs again without stopping. */
  const interrupt = async (place: string, make: (stop: Stop) => MigrationModule): Promise<void> => {
    const stopping = (at: string): void => {
      if (at === place) throw new Error(`stopped at ${at}`)
    }
    await expect(migrate({ db, folder: folder.path, load: async () => make(stopping) })).rejects.toThrow(
      `stopped at ${place}`,
    )
    expect(await migrate({ db, folder: folder.path, load: async () => make(() => {}) })).toHaveLength(1)
  }

  const full = (stop: Stop): MigrationModule => ({
    up: async (schema, inner) => {
      stop('begin')
      await schema
        .createTable('parents')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .execute()
      stop('table')
      await inner
        .insertInto('parents')
        .values([{ id: 1 }, { id: 2 }])
        .execute()
      stop('rows')
      await schema.alterTable('parents').addColumn('made_at', 'datetime(3)').execute()
      await inner.insertInto('parents').values({ id: 3, madeAt: new Date() }).execute()
      stop('time')
      await inner.transaction().execute(async (both) => {
        await both.insertInto('parents').values({ id: 4 }).execute()
        stop('inside')
        await both.insertInto('parents').values({ id: 5 }).execute()
      })
      stop('transaction')
      const { rows } = await sql<{ id: number }>`select id from parents where id < 10 order by id`.execute(inner)
      for (const { id } of rows)
        await inner
          .insertInto('parents')
          .values({ id: id + 10 })
          .execute()
      stop('end')
    },
    down: async (schema) => {
      await schema.alterTable('parents').dropColumn('made_at').execute()
      stop('down')
      await schema.dropTable('parents').execute()
    },
  })

  test.each(['begin', 'table', 'rows', 'time', 'inside', 'transaction', 'end'])(
    'stopped at %s, every statement has its effect once',
    async (place) => {
      await interrupt(place, full)
      expect(await count('parents')).toBe(10)
      expect(await count('sluice_migration_step')).toBe(0)
    },
  )

  test('so does down', async () => {
    await migrate({ db, folder: folder.path, load: async () => full(() => {}) })
    const stopping = async (): Promise<MigrationModule> =>
      full(() => {
        throw new Error('stopped')
      })
    await expect(rollback({ db, folder: folder.path, load: stopping })).rejects.toThrow('stopped')
    expect(await rollback({ db, folder: folder.path, load: async () => full(() => {}) })).toHaveLength(1)
    expect(await count('sluice_migration_step')).toBe(0)
  })

  test('rows that the database refuses leave no note, and are sent again', async () => {
    const insert = (id: number): MigrationModule => ({
      up: async (schema, inner) => {
        await schema
          .createTable('once')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .execute()
        await inner.insertInto('once').values({ id: 1 }).execute()
        await inner.insertInto('once').values({ id }).execute()
      },
    })
    await expect(migrate({ db, folder: folder.path, load: async () => insert(1) })).rejects.toMatchObject({
      reason: 'failed',
    })
    expect(await count('once')).toBe(1)
    expect(await migrate({ db, folder: folder.path, load: async () => insert(2) })).toHaveLength(1)
    expect(await count('once')).toBe(2)
  })

  test('a foreign key that was made when the process died is no error', async () => {
    const keyed: MigrationModule = {
      up: async (schema) => {
        await schema
          .createTable('mothers')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .execute()
        await schema.createTable('children').addColumn('mother_id', 'integer').execute()
        await schema
          .alterTable('children')
          .addForeignKeyConstraint('child_mother', ['mother_id'], 'mothers', ['id'])
          .execute()
        if (isFirst) throw new Error('stopped')
      },
    }
    let isFirst = true
    await expect(migrate({ db, folder: folder.path, load: async () => keyed })).rejects.toThrow('stopped')
    await sql`update sluice_migration_step set state = 'started' where step = 3`.execute(db)
    isFirst = false
    expect(await migrate({ db, folder: folder.path, load: async () => keyed })).toHaveLength(1)
  })

  test('a statement that was announced, never ran, and cannot run is an error still', async () => {
    const broken: MigrationModule = {
      up: (schema) =>
        schema
          .dropTable('nowhere')
          .execute()
          .then(() => sql`select 1`.execute(db)),
    }
    await expect(migrate({ db, folder: folder.path, load: async () => broken })).rejects.toMatchObject({
      sql: 'drop table `nowhere`',
    })
    await expect(migrate({ db, folder: folder.path, load: async () => broken })).rejects.toMatchObject({
      reason: 'failed',
    })
  })
})
