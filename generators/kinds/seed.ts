import { modelPath } from '../names/names.ts'
import { renderTemplate } from '../render.ts'
import { factoryFile, missingFactories, modelOf } from './factory.ts'
import { commonVariables, type Kind } from './kind.ts'

/** Initial rows: `src/database/seeds/<name>.ts`, which `db:seed` runs. */
export const seed: Kind = {
  name: 'seed',
  suffix: 'Seed',
  templates: ['seed', 'factory'],
  plan: (input) => {
    const { root, name } = input
    const model = modelOf(input)
    // Seeds are all in one folder, since they run in the order of their names.
    const file = {
      path: `src/database/seeds/${[...name.folders, name.kebab].join('-')}.ts`,
      contents: renderTemplate(root, 'seed', {
        ...commonVariables({ ...input, name: model ?? name }),
        model: model && `../../app/models/${modelPath(model)}.ts`,
        factory: model && `../factories/${factoryFile(model)}`,
      }),
    }
    return { files: model === undefined ? [file] : [...missingFactories(input, model), file], advice: [] }
  },
}
