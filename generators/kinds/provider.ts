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
    const module = `app/providers/${variables.inside}${className}.ts`
    const path = `src/${module}`
    const file = { path, contents: renderTemplate(root, 'provider', { ...variables, className }) }
    const top = '../'.repeat(name.folders.length + 2)
    const testFile = () => ({
      path: `test/providers/${variables.inside}${name.kebab}.test.ts`,
      contents: renderTemplate(root, 'provider.test', { ...variables, className, top }),
    })
    const advice = [
      'Register it where the application is created, in src/app.ts:',
      `  import { ${className} } from './${module}'`,
      `  app.register(${className})`,
    ]
    return {
      // A project without a folder for tests may have no test runner.
      files: existsSync(join(root, 'test')) ? [file, testFile()] : [file],
      advice: isImported(root, path) ? [] : advice,
    }
  },
}
