import { columnsOf, type DefinedModel, type Field } from '../internal/database/define/field.ts'
import { linksOf } from '../internal/database/define/links.ts'
import { loadPageAfter, stream } from '../internal/database/define/pages.ts'
import { pathOf } from '../internal/database/define/path.ts'
import { upsert } from '../internal/database/define/upsert.ts'
import { createMany, deleteWhere, firstOrCreate, updateWhere } from '../internal/database/define/write-many.ts'
import { checkNames } from '../internal/options/check.ts'
import { finderOf } from './find.ts'
import type { DefineOptions, Fields } from './model-types.ts'

// any: the types are those of `ModelBase`, which the compiler cannot derive
type Any = any

/** Makes a model from its fields. `Base` is `Model`, which imports this module. */
export const defineModel = (Base: Any, tableName: string, fields: Fields, options: DefineOptions): Any => {
  checkNames('Model.define', options, 'timestamps:boolean softDelete:boolean version:boolean unique')
  const { timestamps = true, softDelete = false, version = false, unique = [] } = options
  const all: Readonly<Record<string, Field>> = fields
  const conflict = Object.keys(all).find((name) => name === 'id' || name === 'related' || name in Base.prototype)
  if (conflict) throw new TypeError(`Model.define: ${tableName}: ${conflict}: a record has a member of this name`)
  const hidden = new Set(Object.keys(all).filter((name) => all[name]?.spec.visibility === 'hidden'))
  class DefinedBase extends Base {
    static tableName = tableName
    static timestamps = timestamps
    static softDelete = softDelete
    static version = version
    static columns = columnsOf(all)
    static fields = fields
    static unique = unique

    static findOrFail(id: Any, search: Any) {
      return finderOf(this as Any).findOrFail(id, search)
    }
    static findOneOrFail(search: Any) {
      return finderOf(this as Any).findOneOrFail(search)
    }
    static page(search: Any) {
      return finderOf(this as Any).page(search)
    }
    static after(cursor: Any, search: Any) {
      return loadPageAfter(this as Any, cursor, search)
    }
    static stream(search: Any = {}) {
      checkNames(`${this.name}.stream`, search, 'where with batch')
      return stream(this as Any, search)
    }
    static createMany(values: Any) {
      return createMany(this as Any, values)
    }
    static firstOrCreate(where: Any, values: Any = {}) {
      return firstOrCreate(this as Any, where, values)
    }
    static upsert(values: Any, how: Any) {
      return upsert(this as Any, values, how)
    }
    static updateWhere(where: Any, values: Any) {
      return updateWhere(this as Any, where, values)
    }
    static deleteWhere(where: Any) {
      return deleteWhere(this as Any, where)
    }

    related(name: string) {
      return relatedOf(this as Any, name)
    }
    toJSON() {
      return Object.fromEntries(Object.entries(super.toJSON()).filter(([name]) => !hidden.has(name)))
    }
  }
  return DefinedBase
}

const relatedOf = (record: { readonly id: unknown; readonly constructor: Any }, name: string): Any => {
  const model: DefinedModel = record.constructor
  const { kind, target, localKey, foreignKey, through } = pathOf(model, name)
  if (through) return linksOf(model, record.id, name)
  const scope = { [foreignKey]: (record as Any)[localKey] ?? 0 }
  // Without the builder, which would also find the records of other owners
  const { query: _, ...finder } = finderOf(target, 'without', scope)
  if (kind === 'belongsTo') return finder
  return { ...finder, create: (values: object) => (target as Any).create({ ...values, ...scope }) }
}
