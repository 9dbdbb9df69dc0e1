import { renderTemplate } from '../render.ts'
import { answerVariables, commonVariables, type Kind, listVariables } from './kind.ts'

/** Schemas for what clients send: `src/app/validators/<Name>.ts`. */
export const validator: Kind = {
  name: 'validator',
  suffix: 'Validator',
  describe: 'schemas to create, to update and for the id',
  templates: ['validator'],
  options: ['id', 'fields'],
  plan: (input) => {
    const variables = commonVariables(input)
    return [
      {
        path: `src/app/validators/${variables.inside}${input.name.typed}.ts`,
        contents: renderTemplate(input.root, 'validator', {
          ...variables,
          ...listVariables(input),
          ...answerVariables(input),
          id: input.id,
          list: input.flags.has('list'),
          lock: input.flags.has('lock'),
          replace: input.flags.has('replace'),
        }),
      },
    ]
  },
}
