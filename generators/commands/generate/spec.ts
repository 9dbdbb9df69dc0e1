import type { CommandSpec } from '../../command.ts'
import { KIND_NAMES } from '../../names/kind-names.ts'
import { OPTIONS } from './options.ts'

export const generateSpec: CommandSpec = {
  name: 'generate',
  alias: 'g',
  args: ['<kind>', '<Name>', '[field...]'],
  describe: `Write a ${KIND_NAMES.slice(0, -1).join(', ')} or resource`,
  options: OPTIONS,
  examples: [
    'g model User --soft-delete',
    'g controller admin/User --api',
    'g resource Product name:string price:number',
    "g resource Post title:string 'body:text?' 'status:enum(draft,live)' 'author:references(User)'",
    'g auth User username:string:unique --jwt',
  ],
  load: async () => (await import('./run.ts')).generate,
}
