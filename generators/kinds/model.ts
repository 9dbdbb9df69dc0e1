import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind } from './kind.ts'

/** A class over one table: `src/app/models/<Name>.ts`. */
export const model: Kind = {
  name: 'model',
  suffix: '',
  describe: 'a class over one table',
  templates: ['model'],
  options: ['table', 'soft-delete', 'no-timestamps', 'fields'],
  plan: (input) => [
    {
      path: `src/app/models/${commonVariables(input).inside}${input.name.pascal}.ts`,
      contents: renderTemplate(input.root, 'model', {
        ...commonVariables(input),
        className: input.name.pascal,
        softDelete: input.flags.has('soft-delete'),
        timestamps: !input.flags.has('no-timestamps'),
      }),
    },
  ],
}
