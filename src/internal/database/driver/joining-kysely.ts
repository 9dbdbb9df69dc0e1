import {
  type ConnectionBuilder,
  type ControlledTransactionBuilder,
  Kysely,
  type KyselyPlugin,
  type Transaction,
  type TransactionBuilder,
} from 'kysely'
import { withDatabase } from '../ambient.ts'

/** Kysely whose transactions are also those of models and of every other statement of this database. */
export class JoiningKysely<T> extends Kysely<T> {
  /** The instance that this one was derived from, by `withPlugin` and so on. */
  declare '~root'?: Kysely<T>

  override transaction(): TransactionBuilder<T> {
    return joiningBuilder(super.transaction(), this['~root'] ?? this, this['~root'] === undefined)
  }

  /** @throws {Error} always: no work follows, so nothing could join it, and on SQLite everything else would wait. */
  override startTransaction(): ControlledTransactionBuilder<T> {
    throw new Error('startTransaction: statements cannot join it, use transaction(work)')
  }

  override connection(): ConnectionBuilder<T> {
    const builder = super.connection()
    const execute: ConnectionBuilder<T>['execute'] = (work) => builder.execute((held) => work(asJoining(held, this)))
    return { execute } as ConnectionBuilder<T>
  }

  override withPlugin(plugin: KyselyPlugin): Kysely<T> {
    return asJoining(super.withPlugin(plugin), this)
  }

  override withoutPlugins(): Kysely<T> {
    return asJoining(super.withoutPlugins(), this)
  }

  override withSchema(schema: string): Kysely<T> {
    return asJoining(super.withSchema(schema), this)
  }

  override withTables<E extends Record<string, Record<string, unknown>>>(): Kysely<T & E> {
    return asJoining(super.withTables<E>() as Kysely<T & E>, this as JoiningKysely<T & E>)
  }
}

/** Give an instance that Kysely has made this class. Its private fields stay usable. */
const asJoining = <T>(db: Kysely<T>, from: JoiningKysely<T>): Kysely<T> => {
  const joined: JoiningKysely<T> = Object.setPrototypeOf(db, JoiningKysely.prototype)
  joined['~root'] = from['~root'] ?? from
  return joined
}

/** In a transaction of a derived instance (`withPlugin` …), models use the root, because they need its plugins. */
const joiningBuilder = <T>(builder: TransactionBuilder<T>, root: Kysely<T>, isRoot: boolean): TransactionBuilder<T> => {
  const wrapped: Pick<TransactionBuilder<T>, 'execute' | 'setAccessMode' | 'setIsolationLevel'> = {
    setAccessMode: (mode) => joiningBuilder(builder.setAccessMode(mode), root, isRoot),
    setIsolationLevel: (level) => joiningBuilder(builder.setIsolationLevel(level), root, isRoot),
    execute: <R>(work: (inner: Transaction<T>) => Promise<R>): Promise<R> =>
      builder.execute((inner) => withDatabase(inner, () => work(inner), { root, db: isRoot ? inner : root })),
  }
  return wrapped as TransactionBuilder<T>
}
