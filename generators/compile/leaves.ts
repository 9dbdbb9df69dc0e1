import { condition, literal } from './checks.ts'
import { CHANGES } from './insight.ts'
import { built, local, MAX_COMPARED, once, type Piece, type Scope, testPiece, type ValuePlace } from './piece.ts'
import type { Definition } from './schema.ts'

/** A kind with one test for its type, followed by its checks. */
export const checked =
  (isType: (x: string) => string) =>
  (def: Definition, place: ValuePlace, { unit, leave }: Scope): Piece => {
    const { checks = [], coerce } = def
    const refer = (index: number, x: string): string =>
      condition(checks[index]!, x, (part) => once(unit, `${place.ref}.def.checks[${index}].${part}`))
    if (!coerce && !checks.some(({ change }) => change))
      return testPiece([isType(place.x), ...checks.map((_, index) => refer(index, place.x))].join(' && '), place)
    const x = local(unit)
    const start = coerce ? `${once(unit, `${place.ref}.def.coerce`)}(${place.x})` : place.x
    const steps = checks.map(({ kind, change }, index) =>
      change && CHANGES.has(kind) ? `${x} = ${x}.${kind}()` : `if (!(${refer(index, x)})) ${leave}`,
    )
    return built([`let ${x} = ${start}`, `if (!(${isType(x)})) ${leave}`, ...steps], x)
  }

/** A kind that only tests its value, which it may coerce before. */
export const simple =
  (isType: (x: string) => string, definite = true) =>
  (def: Definition, place: ValuePlace, scope: Scope): Piece =>
    def.coerce ? checked(isType)(def, place, scope) : testPiece(isType(place.x), place, definite)

export const ofType =
  (type: string) =>
  (x: string): string =>
    `typeof ${x} === '${type}'`

/** One of several values. Uses a set if there are many, or if `===` does not work for one (`NaN`). */
export const oneOf = (def: Definition, place: ValuePlace, { unit }: Scope): Piece => {
  const codes = def.values.map(literal)
  const definite = !def.values.includes(undefined)
  if (codes.length > MAX_COMPARED || codes.some((code) => code === undefined || code === 'NaN'))
    return testPiece(`${once(unit, `new Set(${place.ref}.def.values)`)}.has(${place.x})`, place, definite)
  return testPiece(`(${codes.map((code) => `${place.x} === ${code}`).join(' || ') || 'false'})`, place, definite)
}

export const exactly = (def: Definition, place: ValuePlace, { unit }: Scope): Piece =>
  testPiece(
    `${place.x} === ${literal(def.value) ?? once(unit, `${place.ref}.def.value`)}`,
    place,
    def.value !== undefined,
  )
