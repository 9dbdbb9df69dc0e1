import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind } from './kind.ts'

/** A class for rules that do not belong to a single request: `src/app/services/<Name>.ts`. */
export const service: Kind = {
  name: 'service',
  suffix: '',
  describe: 'a class for business rules',
  templates: ['service', 'service.test'],
  options: [],
  plan: (input) => {
    const variables = commonVariables(input)
    const className = input.name.pascal
    const file = {
      path: `src/app/services/${variables.inside}${className}.ts`,
      contents: renderTemplate(input.root, 'service', { ...variables, className }),
    }
    // A project without a folder for tests may have no test runner.
    if (!existsSync(join(input.root, 'test'))) return [file]
    const top = '../'.repeat(input.name.folders.length + 2)
    const test = {
      path: `test/services/${variables.inside}${input.name.kebab}.test.ts`,
      contents: renderTemplate(input.root, 'service.test', { ...variables, className, top }),
    }
    return [file, test]
  },
}
