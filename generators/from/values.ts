import { block, literal } from './code.ts'
import type { Part } from './document.ts'
import type { SchemaContext } from './schema-context.ts'

/** The code of a default, which replaces the input: texts stay texts. One that the schema would refuse is left out. */
export const defaultCode = (
  fill: unknown,
  schema: Part,
  types: readonly string[],
  { asText, source, where }: SchemaContext,
): string => {
  const type = Array.isArray(fill) ? 'array' : fill === null ? 'null' : typeof fill
  const fits = types.length
    ? types.some((candidate) => candidate === type || (candidate === 'integer' && type === 'number'))
    : type === 'string'
  if (!fits || (Array.isArray(schema.enum) && !schema.enum.includes(fill)) || 'const' in schema) {
    source.notes.push({
      where,
      what: 'a "default" that does not fit its schema, or whose type is not given, is left out',
    })
    return ''
  }
  if (typeof fill === 'object') return `.default(() => (${literal(fill)}) as never)`
  return `.default(${literal(asText && (types.includes('boolean') || Array.isArray(schema.enum)) && !types.includes('integer') && !types.includes('number') ? String(fill) : fill)})`
}

/** The code of `enum` and `const`. */
export const valuesCode = (values: readonly unknown[], { asText, source, where }: SchemaContext): string => {
  const scalars = values.filter((value) => typeof value !== 'object' || value === null)
  if (scalars.length < values.length || scalars.length === 0) {
    source.notes.push({ where, what: 'values of "enum" or "const" that are objects or lists are not checked' })
    return 'z.unknown()'
  }
  if (scalars.every((value) => typeof value === 'string')) return block('z.enum([', scalars.map(literal), '])')
  const code = block('z.literal([', scalars.map(literal), '])')
  if (!asText) return code
  if (scalars.every((value) => typeof value === 'number')) return `z.preprocess(toNumber, ${code})`
  return block(
    'z.enum([',
    scalars.map((value) => literal(String(value))),
    '])',
  )
}
