import type { ModelClass, ModelRecord } from '../internal/database/model/record.ts'
import { Relation } from '../internal/database/model/relation.ts'
import type { Row } from './find.ts'

export type { Relation, Relations } from '../internal/database/model/relation.ts'

/**
 * This model has the id of one record of another model.
 *
 * When loaded, it is that record; undefined if the column is null, or if the record is missing or soft-deleted.
 *
 * @param column the column of this model that holds the id
 * @example
 * static relations = { owner: belongsTo(() => User, 'ownerId') }
 */
export const belongsTo = <T extends ModelRecord>(model: () => ModelClass<T>, column: string): Relation<T | undefined> =>
  new Relation('belongsTo', model, column)

/**
 * One record of another model has the id of this one. If there are several, it is the one with the lowest id.
 *
 * @param column the column of the other model that holds the id
 * @example
 * static relations = { profile: hasOne(() => Profile, 'userId') }
 */
export const hasOne = <T extends ModelRecord>(
  model: () => ModelClass<T>,
  column: keyof Row<T> & string,
): Relation<T | undefined> => new Relation('hasOne', model, column)

/**
 * Any number of records of another model have the id of this one. When loaded, they are a list ordered by id.
 *
 * @param column the column of the other model that holds the id
 * @example
 * static relations = { posts: hasMany(() => Post, 'ownerId') }
 */
export const hasMany = <T extends ModelRecord>(
  model: () => ModelClass<T>,
  column: keyof Row<T> & string,
): Relation<readonly T[]> => new Relation('hasMany', model, column)
