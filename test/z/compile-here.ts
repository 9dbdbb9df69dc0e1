import { emitSchema } from '../../generators/compile/emit.ts'
import { createInsight } from '../../generators/compile/insight.ts'
import type { Fallback } from '../../generators/compile/piece.ts'
import type { Schema } from '../../generators/compile/schema.ts'
import * as helpers from '../../src/z/compiled.ts'

/** Compile a schema in this process, as `sluice compile` would, and say what was left to the interpreter. */
export const compileHere = <T>(schema: T): { schema: T; text: string; fallbacks: readonly Fallback[] } => {
  const { lines, fallbacks } = emitSchema(schema as never as Schema, createInsight())
  const text = lines?.join('\n') ?? ''
  // The test evaluates the text; the text evaluates nothing.
  if (lines) helpers.compiled(schema as never, factoryOf(text) as never)
  return { schema, text, fallbacks }
}

const names = Object.keys(helpers)

const factoryOf = (text: string): unknown =>
  new Function(...names, `return (schema, own) => {\n${text}\n}`)(...Object.values(helpers))
