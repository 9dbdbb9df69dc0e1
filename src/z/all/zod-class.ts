import type { AnyCore } from '../../internal/z/definition.ts'
import { zodName } from '../../internal/z/zod-definition.ts'

/** A stand-in for a class of zod 3: for `instanceof`, and its `create`. */
export interface ZodClass<Create = unknown> {
  readonly create: Create
  [Symbol.hasInstance](value: unknown): boolean
}

/** Create a class with a name of zod 3: every schema with that name is an instance. */
export const createZodClass = <Create>(name: string, create: Create): ZodClass<Create> => {
  const Named = class {
    static create: Create = create

    static [Symbol.hasInstance](value: unknown): boolean {
      const def = (value as AnyCore | null | undefined)?.def
      return def !== undefined && zodName(def) === name
    }
  }
  Object.defineProperty(Named, 'name', { value: name })
  return Named
}
