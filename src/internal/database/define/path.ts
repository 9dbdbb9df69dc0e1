import type { DefinedModel, Field, QueriedModel } from './field.ts'

/** How a relation is found: the columns of both sides, and the joining model. */
export interface Path {
  readonly kind: 'belongsTo' | 'hasMany' | 'hasOne' | 'manyToMany'
  readonly target: QueriedModel
  /** The property of this model. */
  readonly here: string
  /** The property of the target, or of the joining model. */
  readonly there: string
  /** The joining model, and its property that leads to the target. */
  readonly through?: { readonly model: DefinedModel; readonly to: string }
}

/**
 * The way from a model to its related records.
 *
 * @throws {TypeError} if the model has no such relation, no `belongsTo` leads back, or several do.
 */
export const pathOf = (model: QueriedModel, name: string): Path => {
  const relation = relationOf(model, name)
  if (relation === undefined) throw new TypeError(`with: ${model.name} has no relation '${String(name)}'`)
  const target = targetOf(relation)
  const place = `${model.name}.${name}`
  const { by, to, through } = relation.spec
  if (relation.is === 'belongsTo') return { kind: 'belongsTo', target, here: `${name}Id`, there: 'id' }
  if (relation.is !== 'manyToMany')
    return { kind: relation.is, target, here: 'id', there: back(target, model, by, place) }
  const join = (through as () => DefinedModel)()
  const there = back(join, model, by, place)
  return { kind: 'manyToMany', target, here: 'id', there, through: { model: join, to: back(join, target, to, place) } }
}

/** True if the name is a relation of the model. */
export const isRelation = (model: QueriedModel, name: string): boolean => relationOf(model, name) !== undefined

type Linking = Exclude<Field, { is: 'column' }>

const relationOf = ({ fields = {} }: QueriedModel, name: string): Linking | undefined => {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field?.is === 'column' ? undefined : field
}

const targetOf = (relation: Linking): DefinedModel => (relation.model as () => DefinedModel)()

/** The column of `other` that leads to `model`: of its only `belongsTo` for it, or of the one with this name. */
const back = (other: DefinedModel, model: QueriedModel, name: string | undefined, place: string): string => {
  const names = Object.entries(other.fields)
    .filter(
      ([key, field]) => field.is === 'belongsTo' && (name === undefined ? targetOf(field) === model : key === name),
    )
    .map(([key]) => key)
  if (names.length === 1) return `${names[0]}Id`
  const what =
    names.length === 0
      ? `no ${name === undefined ? `belongsTo(() => ${model.name})` : `belongsTo '${name}'`}`
      : `${names.length} (${names.join(', ')}): name one`
  throw new TypeError(`${place}: ${other.name} has ${what}`)
}
