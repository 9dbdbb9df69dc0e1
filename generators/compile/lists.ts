import { condition } from './checks.ts'
import {
  block,
  built,
  emitInner,
  IS_OBJECT,
  join,
  local,
  once,
  type Piece,
  type Scope,
  statements,
  type ValuePlace,
} from './piece.ts'
import type { Definition } from './schema.ts'

export const array = (def: Definition, place: ValuePlace, scope: Scope): Piece => {
  const { unit } = scope
  const { x } = place
  const tests = (def.checks ?? []).map((check, index) =>
    condition(check, x, (part) => once(unit, `${place.ref}.def.checks[${index}].${part}`)),
  )
  const [out, index, item] = [local(unit), local(unit), local(unit)]
  const piece = emitInner(def.inner, 'inner', place, scope, { x: item, path: join(place.path, '*') })
  const change = piece.out === item ? [] : [`${out}[${index}] = ${piece.out}`]
  const inside = [...statements(piece, scope), ...change]
  const loop = block(`for (let ${index} = 0; ${index} < ${out}.length; ${index}++)`, [
    `const ${item} = ${out}[${index}]`,
    ...inside,
  ])
  const test = [`Array.isArray(${x})`, ...tests].join(' && ')
  return built([`if (!(${test})) ${scope.leave}`, `const ${out} = [...${x}]`, ...(inside.length ? [loop] : [])], out)
}

export const tuple = (def: Definition, place: ValuePlace, scope: Scope): Piece => {
  const { unit } = scope
  const { x } = place
  const { items, rest } = def
  const check = [`if (!(Array.isArray(${x}) && ${x}.length ${rest ? '>=' : '==='} ${items.length})) ${scope.leave}`]
  const outs = items.map((schema, index) => {
    const value = local(unit)
    const path = join(place.path, `${index}`)
    const piece = emitInner(schema, `items[${index}]`, place, scope, { x: value, path })
    check.push(`const ${value} = ${x}[${index}]`, ...statements(piece, scope))
    return piece.out
  })
  const out = local(unit)
  check.push(`const ${out} = [${outs.join(', ')}]`)
  if (!rest) return built(check, out)
  const [index, value] = [local(unit), local(unit)]
  const piece = emitInner(rest, 'rest', place, scope, { x: value, path: join(place.path, '*') })
  check.push(
    block(`for (let ${index} = ${items.length}; ${index} < ${x}.length; ${index}++)`, [
      `const ${value} = ${x}[${index}]`,
      ...statements(piece, scope),
      `${out}.push(${piece.out})`,
    ]),
  )
  return built(check, out)
}

export const record = (def: Definition, place: ValuePlace, scope: Scope): Piece => {
  const { unit } = scope
  const { x } = place
  const [out, key, value] = [local(unit), local(unit), local(unit)]
  const name = emitInner(def.key, 'key', place, scope, { x: key })
  const piece = emitInner(def.inner, 'inner', place, scope, { x: value, path: join(place.path, '*') })
  const loop = block(`for (const ${key} in ${x})`, [
    ...statements(name, scope),
    `const ${value} = ${x}[${key}]`,
    ...statements(piece, scope),
    `if (${name.out === key ? key : `String(${name.out})`} !== '__proto__') ${out}[${name.out}] = ${piece.out}`,
  ])
  return built([`if (!${IS_OBJECT(x)}) ${scope.leave}`, `const ${out} = {}`, loop], out)
}
