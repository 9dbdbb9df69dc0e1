import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'vitest'
import type { OpenApiDocument } from '../../src/openapi.ts'

/** It compiles the schemas of OpenAPI once. */
const validator = new Validator()

/** Assert that a published validator accepts a document, and that each reference in it leads somewhere. */
export const expectValid = async (document: OpenApiDocument): Promise<void> => {
  const copy = JSON.parse(JSON.stringify(document))
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)))
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  const lost = [...JSON.stringify(copy).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
    .map(([, name]) => name!)
    .filter((name) => !(name in copy.components.schemas))
  expect(lost).toEqual([])
  expect(JSON.stringify(copy)).not.toContain('#/$defs')
}
