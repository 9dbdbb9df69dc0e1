import { existsSync } from 'node:fs'
import { join, relative } from 'node:path/posix'
import { applicationPath, projectFile } from '../project/project.ts'
import type { PlannedFile } from '../project/write.ts'
import { renderTemplate } from '../render.ts'
import { factoryFile, hasModel, missingFactories } from './factory.ts'
import { commonVariables, type Kind, type KindInput, testDatabase } from './kind.ts'

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
    if (!hasModel(root, name)) return testOfPath(input)
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

/** It expects 200, so it fails as long as the application has no such route. The path is the name, as it was typed. */
const testOfPath = (input: KindInput): readonly PlannedFile[] => {
  const { root, name } = input
  projectFile(root, 'app')
  const folder = ['test', ...name.folders].join('/')
  const database = existsSync(join(root, 'src/database.ts'))
  const contents = renderTemplate(root, 'test', {
    ...commonVariables(input),
    path: `/${[...name.folders, name.kebab].join('/')}`,
    app: relative(folder, applicationPath(root)),
    database,
    helper: '../'.repeat(name.folders.length) || './',
  })
  return [...(database ? testDatabase(input) : []), { path: `${folder}/${name.kebab}.test.ts`, contents }]
}
