import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { usageError } from '../errors.ts'
import { isImported } from '../project/routes-file.ts'
import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind } from './kind.ts'

/** A part of the application that is started and stopped with it: `src/app/providers/<Name>Provider.ts`. */
export const provider: Kind = {
  name: 'provider',
  suffix: 'Provider',
  templates: ['provider', 'provider.test'],
  plan: (input) => {
    const { root, name } = input
    const variables = commonVariables(input)
    const className = `${name.pascal}Provider`
    if (className === 'ServiceProvider') throw usageError('ServiceProvider is the class that providers extend')
    const file = {
      path: `src/app/providers/${variables.inside}${className}.ts`,
      contents: renderTemplate(root, 'provider', { ...variables, className }),
    }
    // A project without a folder for tests may have no test runner.
    if (!existsSync(join(root, 'test'))) return [file]
    const top = '../'.repeat(name.folders.length + 2)
    const contents = renderTemplate(root, 'provider.test', { ...variables, className, top })
    return [file, { path: `test/providers/${variables.inside}${name.kebab}.test.ts`, contents }]
  },
  advise: (input) => {
    const className = `${input.name.pascal}Provider`
    const module = `app/providers/${commonVariables(input).inside}${className}.ts`
    if (isImported(input.root, `src/${module}`)) return []
    return [
      'Register it where the application is created, in src/app.ts:',
      `  import { ${className} } from './${module}'`,
      `  app.register(${className})`,
    ]
  },
}
