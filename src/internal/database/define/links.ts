import type { ManyToMany } from '../../../database/model-types.ts'
import { refusal } from '../../error/refusal.ts'
import { Condition } from '../model/condition.ts'
import { assertUnique, type DefinedModel } from './field.ts'
import { pathOf } from './path.ts'
import { findRows } from './search.ts'
import { deleteWhere, insertMissing, inTransaction } from './write-many.ts'

/** Reads and changes which records belong to one record by a many-to-many relation. */
export const linksOf = (model: DefinedModel, id: unknown, name: string): ManyToMany => {
  const { foreignKey, through } = pathOf(model, name)
  if (!through) throw new TypeError(`${model.name}.${name}: expected a manyToMany relation`)
  const { model: join, relatedKey } = through
  const owner = { [foreignKey]: id }
  const checkList = (list: unknown): void => {
    if (!Array.isArray(list)) throw refusal(422, `${name}: expected a list of ids`, { code: 'invalid_column' })
  }
  const links: ManyToMany = {
    ids: async () => (await findRows(join, { where: owner })).map((row) => row[relatedKey] as number),
    attach: async (wanted) => {
      checkList(wanted)
      const by = [foreignKey, relatedKey]
      assertUnique(join, `${name}.attach`, by)
      const rows = [...new Set(wanted)].map((each) => ({ ...owner, [relatedKey]: each }))
      await insertMissing(join, rows, by)
    },
    detach: async (unwanted) => {
      checkList(unwanted)
      await deleteWhere(join, { ...owner, [relatedKey]: new Condition({ is: 'in', values: unwanted }) })
    },
    sync: (wanted) =>
      inTransaction(async () => {
        checkList(wanted)
        // The lock makes a second sync wait. Without it, both would add to the same links
        await findRows(model, { where: { id }, trashed: 'with', lock: true })
        const attached = await links.ids()
        const removed = attached.filter((each) => !wanted.includes(each))
        if (removed.length > 0) await links.detach(removed)
        await links.attach(wanted.filter((each) => !attached.includes(each)))
      }),
  }
  return links
}
