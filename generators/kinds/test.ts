import { relative } from 'node:path/posix'
import { applicationPath, projectFile } from '../project.ts'
import { renderTemplate } from '../render.ts'
import { factoryFile, hasModel, missingFactories } from './factory.ts'
import { commonVariables, type Kind, testDatabase } from './kind.ts'

/** A test of a model, `test/models/<name>.test.ts`, or of the responses of the application, `test/<name>.test.ts`. */
export const test: Kind = {
  name: 'test',
  suffix: 'Test',
  describe: 'a test of the model of that name, else of a path of the application',
  templates: ['test', 'test.model', 'test-database', 'factory'],
  options: [],
  plan: (input) => {
    const { root, name } = input
    const variables = commonVariables(input)
    if (!hasModel(root, name)) {
      projectFile(root, 'app')
      const folder = ['test', ...name.folders].join('/')
      const app = relative(folder, applicationPath(root))
      const contents = renderTemplate(root, 'test', { ...variables, app })
      return [{ path: `${folder}/${name.kebab}.test.ts`, contents }]
    }
    const contents = renderTemplate(root, 'test.model', {
      ...variables,
      factory: factoryFile(name),
      top: '../'.repeat(name.folders.length + 2),
    })
    return [
      ...missingFactories(input, name),
      ...testDatabase(input),
      { path: `test/models/${variables.inside}${name.kebab}.test.ts`, contents },
    ]
  },
}
