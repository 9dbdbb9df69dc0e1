import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind } from './kind.ts'

/** A class for rules that belong to no single request: `src/app/services/<Name>.ts`. */
export const service: Kind = {
  name: 'service',
  suffix: '',
  describe: 'a class for the rules of the business',
  templates: ['service'],
  options: [],
  plan: (input) => {
    const variables = commonVariables(input)
    return [
      {
        path: `src/app/services/${variables.inside}${input.name.pascal}.ts`,
        contents: renderTemplate(input.root, 'service', { ...variables, className: input.name.pascal }),
      },
    ]
  },
}
