import { literal } from './checks.ts'
import {
  arrow,
  block,
  built,
  emitInner,
  IS_OBJECT,
  local,
  once,
  type Piece,
  type Scope,
  statements,
  testPiece,
  type ValuePlace,
} from './piece.ts'
import type { Definition } from './schema.ts'

/**
 * The code of a schema such as `optional`: values for which `is` holds are kept unchanged, others are checked by
 * `inner`.
 */
export const unless =
  (is: (x: string) => string, definite: boolean) =>
  (def: Definition, place: ValuePlace, scope: Scope): Piece => {
    const { x } = place
    const piece = emitInner(def.inner, 'inner', place, scope)
    if (piece.test) return testPiece(`(${is(x)} || (${piece.test}))`, place, definite && piece.definite)
    const out = local(scope.unit)
    const inside = block(`if (!(${is(x)}))`, [...statements(piece, scope), `${out} = ${piece.out}`])
    return built([`let ${out} = ${x}`, inside], out, definite && piece.definite)
  }

/** The alternatives, which are tried in order: tests inline, all others as functions. */
export const union = (def: Definition, place: ValuePlace, scope: Scope): Piece => {
  const { unit } = scope
  const { x } = place
  const inside: Scope = { ...scope, leave: 'return MISS', open: false }
  const pieces = def.options.map((option, index) => emitInner(option, `options[${index}]`, place, inside))
  const definite = pieces.every((piece) => piece.definite)
  const tests = pieces.map(({ test }) => test)
  if (!tests.includes(undefined))
    return testPiece(`(${tests.map((test) => `(${test})`).join(' || ')})`, place, definite)
  const out = local(unit)
  const lines = pieces.map((piece) =>
    piece.test === undefined
      ? `if (${out} === MISS) ${out} = ${once(unit, arrow(x, [...statements(piece, inside), `return ${piece.out}`]))}(${x})`
      : `if (${out} === MISS && (${piece.test})) ${out} = ${x}`,
  )
  return built([`let ${out} = MISS`, ...lines, `if (${out} === MISS) ${scope.leave}`], out, definite)
}

export const discriminated = (def: Definition, place: ValuePlace, scope: Scope): Piece | undefined => {
  const { unit, leave } = scope
  const { x } = place
  const [out, tag] = [local(unit), local(unit)]
  const tags = [...def.optionsMap].map(([value, option]) => [literal(value), option] as const)
  if (tags.some(([value, option]) => value === undefined || !def.options.includes(option))) return undefined
  const cases = def.options.map((option, index) => {
    const piece = emitInner(option, `options[${index}]`, place, scope)
    const values = tags.filter(([, chosen]) => chosen === option).map(([value]) => `${tag} === ${value}`)
    return block(`if (${values.join(' || ')})`, [...statements(piece, scope), `${out} = ${piece.out}`])
  })
  return built(
    [
      `if (!${IS_OBJECT(x)}) ${leave}`,
      `const ${tag} = ${x}[${JSON.stringify(def.discriminator)}]`,
      `let ${out}`,
      `${cases.join(' else ')} else ${leave}`,
    ],
    out,
  )
}

export const byDefault = (def: Definition, place: ValuePlace, scope: Scope): Piece => {
  const x = local(scope.unit)
  const value = literal(def.value) ?? fresh(def.value, once(scope.unit, `${place.ref}.def.value`))
  const piece = emitInner(def.inner, 'inner', place, scope, { x })
  const start = `const ${x} = ${place.x} === undefined ? ${value} : ${place.x}`
  return built([start, ...statements(piece, scope)], piece.out, piece.definite)
}

/** A new copy of a list or plain object for each parse, as in the interpreter. */
const fresh = (value: unknown, name: string): string =>
  Array.isArray(value) ? `[...${name}]` : (value as object).constructor === Object ? `{ ...${name} }` : name

export const pipe = (def: Definition, place: ValuePlace, scope: Scope): Piece => {
  const first = emitInner(def.inner, 'inner', place, scope)
  const x = local(scope.unit)
  const second = emitInner(def.target, 'target', place, scope, { x })
  return built(
    [...statements(first, scope), `const ${x} = ${first.out}`, ...statements(second, scope)],
    second.out,
    second.definite,
  )
}

export const readonly = (def: Definition, place: ValuePlace, scope: Scope): Piece => {
  const piece = emitInner(def.inner, 'inner', place, scope)
  const out = local(scope.unit)
  return built([...statements(piece, scope), `const ${out} = Object.freeze(${piece.out})`], out, piece.definite)
}

export const same = (def: Definition, place: ValuePlace, scope: Scope): Piece =>
  emitInner(def.inner, 'inner', place, scope)
