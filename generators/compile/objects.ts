import {
  block,
  built,
  emitInner,
  IS_OBJECT,
  join,
  local,
  MAX_COMPARED,
  once,
  type Piece,
  type Scope,
  statements,
  type ValuePlace,
} from './piece.ts'
import { type Definition, shapeAccess } from './schema.ts'

export const object = (def: Definition, place: ValuePlace, scope: Scope): Piece => {
  const { unit } = scope
  const { x } = place
  const check = [`if (!${IS_OBJECT(x)}) ${scope.leave}`]
  const build: string[] = []
  const fields = Object.keys(def.shape).map((key) => {
    const name = JSON.stringify(key)
    const value = local(unit)
    const read = key in Object.prototype ? `Object.hasOwn(${x}, ${name}) ? ${x}[${name}] : undefined` : `${x}[${name}]`
    check.push(`const ${value} = ${read}`)
    const piece = scope.field(def.shape[key]!, below(place, key, value), scope)
    check.push(...(piece.test ? statements(piece, scope) : piece.check))
    build.push(...piece.build)
    return { key, name, piece }
  })
  const kept = fields.filter(({ key }) => key !== '__proto__')
  const first = kept.findIndex(({ piece }) => !piece.definite)
  const whole = first < 0 ? kept : kept.slice(0, first)
  const written = whole.length ? `{ ${whole.map(({ name, piece }) => `${name}: ${piece.out}`).join(', ')} }` : '{}'
  const rest = restOf(def, place, scope)
  if (rest && !rest.keeps) check.push(...rest.lines(''))
  if (whole.length === kept.length && !rest?.keeps) return { check, build, out: written, definite: true }
  const out = local(unit)
  build.push(`const ${out} = ${written}`)
  for (const { name, piece } of kept.slice(whole.length)) {
    const unlessMissing = piece.definite ? '' : `if (${piece.out} !== undefined || ${name} in ${x}) `
    build.push(`${unlessMissing}${out}[${name}] = ${piece.out}`)
  }
  if (rest?.keeps) build.push(...rest.lines(out))
  // A value that the catchall refuses returns from the function, so no code of the user may run before.
  return def.catchall ? built([...check, ...build], out) : { check, build, out, definite: true }
}

const below = (place: ValuePlace, key: string, x: string): ValuePlace => ({
  ref: `${place.ref}${shapeAccess(key)}`,
  x,
  path: join(place.path, key),
  keys: [...place.keys, key],
})

/** The code for keys that are not in the shape: they are refused, or kept in the output. */
const restOf = (
  { shape, unknownKeys, catchall }: Definition,
  place: ValuePlace,
  scope: Scope,
): { readonly keeps: boolean; readonly lines: (out: string) => string[] } | undefined => {
  const { unit, leave } = scope
  const { x, ref } = place
  const keeps = catchall !== undefined || unknownKeys === 'passthrough'
  if (!keeps && unknownKeys !== 'strict') return undefined
  const keys = Object.keys(shape)
  const unknown =
    keys.length > MAX_COMPARED
      ? `!Object.hasOwn(${once(unit, `${ref}.def.shape`)}, key)`
      : keys.map((key) => `key !== ${JSON.stringify(key)}`).join(' && ') || 'true'
  const loop = (lines: readonly string[]): string[] => [
    block(`for (const key in ${x})`, [block(`if (${unknown})`, lines)]),
  ]
  if (!keeps) return { keeps, lines: () => loop([leave]) }
  const value = local(unit)
  const read = `const ${value} = ${x}[key]`
  if (!catchall)
    return {
      keeps,
      lines: (out) => loop([read, `if (${value} !== undefined && key !== '__proto__') ${out}[key] = ${value}`]),
    }
  const piece = emitInner(catchall, 'catchall', place, scope, { x: value, path: join(place.path, '*') })
  const assignCode = (out: string): string => `if (key !== '__proto__') ${out}[key] = ${piece.out}`
  return { keeps, lines: (out) => loop([read, ...statements(piece, scope), assignCode(out)]) }
}
