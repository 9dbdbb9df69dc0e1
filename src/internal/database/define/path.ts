import type { DefinedModel, Field, QueriedModel } from './field.ts'

/** The columns that connect the two sides of a relation, and the joining model. */
export interface Path {
  readonly kind: 'belongsTo' | 'hasMany' | 'hasOne' | 'manyToMany'
  readonly target: QueriedModel
  /** The property of this model that is compared. */
  readonly localKey: string
  /** The property of the target, or of the joining model, that must be equal to it. */
  readonly foreignKey: string
  /** The joining model, and its property that leads to the target. */
  readonly through?: { readonly model: DefinedModel; readonly relatedKey: string }
}

/** @throws {TypeError} if the model has no such relation, no `belongsTo` refers back, or several do. */
export const pathOf = (model: QueriedModel, name: string): Path => {
  const relation = relationOf(model, name)
  if (relation === undefined) throw new TypeError(`with: ${model.name} has no relation '${String(name)}'`)
  const target = targetOf(relation)
  const place = `${model.name}.${name}`
  const { by, to, through } = relation.spec
  if (relation.is === 'belongsTo') return { kind: 'belongsTo', target, localKey: `${name}Id`, foreignKey: 'id' }
  if (relation.is !== 'manyToMany')
    return { kind: relation.is, target, localKey: 'id', foreignKey: foreignKeyOf(target, model, by, place) }
  const join = (through as () => DefinedModel)()
  const foreignKey = foreignKeyOf(join, model, by, place)
  const relatedKey = foreignKeyOf(join, target, to, place)
  return { kind: 'manyToMany', target, localKey: 'id', foreignKey, through: { model: join, relatedKey } }
}

/** True if the name is a relation of the model. */
export const isRelation = (model: QueriedModel, name: string): boolean => relationOf(model, name) !== undefined

type RelationField = Exclude<Field, { is: 'column' }>

const relationOf = ({ fields = {} }: QueriedModel, name: string): RelationField | undefined => {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field?.is === 'column' ? undefined : field
}

const targetOf = (relation: RelationField): DefinedModel => (relation.model as () => DefinedModel)()

/** The column of `other` that refers to `model`, by the `belongsTo` with this name, or by the only `belongsTo`. */
const foreignKeyOf = (other: DefinedModel, model: QueriedModel, name: string | undefined, place: string): string => {
  const names = Object.keys(other.fields).filter((key) => {
    const field = other.fields[key]
    return field?.is === 'belongsTo' && (name === undefined ? targetOf(field) === model : key === name)
  })
  if (names.length === 1) return `${names[0]}Id`
  const wanted = name === undefined ? `belongsTo(() => ${model.name})` : `belongsTo '${name}'`
  const problem = names.length === 0 ? `no ${wanted}` : `${names.length} (${names.join(', ')}): name one`
  throw new TypeError(`${place}: ${other.name} has ${problem}`)
}
