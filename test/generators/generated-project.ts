import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledTemplates, renderFile } from '../../generators/render.ts'
import { runCommand } from './run-command.ts'
import { linkPackages, temporaryFolder } from './sandbox.ts'

/** The styles of names that the issue lists. */
export const NAMES = ['user', 'UserProfile', 'admin/User', 'blog-post', 'Category', 'Person'] as const

/** Every kind with every combination of its flags; `%` stands for the name. */
const LINES = [
  'model %',
  'model % --soft-delete',
  'model % --no-timestamps',
  'model % --soft-delete --no-timestamps --table things',
  'model % --fields name,bio:text?,age:integer,score:number?,active:boolean,born:date?',
  'controller %',
  'controller % --resource',
  'controller % --api',
  'middleware %',
  'migration Create%Table',
  'migration Create%Table --soft-delete --fields name,bio:text?,age:integer,score:number?,active:boolean,born:date?',
  'migration Add%ToOrders',
  'migration Remove%FromOrders',
  'migration Do%',
  'validator %',
  'validator % --id int',
  'validator % --fields name,age:integer?,born:date',
  'service %',
  'resource %',
  'resource % --fields title,stars:integer --soft-delete',
  'resource % --fields class:string,order:integer,default:boolean?,await:date',
] as const

/** A project with every line for every name, each in a folder of its own below `all/`: two lines may make the same file. */
export const generateEverything = async (): Promise<string> => {
  const root = temporaryFolder()
  linkPackages(root)
  await generateAllInto(root, ['sluice-source'])
  return root
}

/** The same into a folder that has its packages already. */
export const generateAllInto = async (root: string, customConditions: readonly string[] = []): Promise<void> => {
  const settings = JSON.parse(renderFile(join(bundledTemplates(), 'project/tsconfig.json.eta'), {}))
  settings.compilerOptions.customConditions = customConditions
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ ...settings, include: ['all'] }))
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(root, 'biome.json'), readFileSync(join(bundledTemplates(), 'project/biome.json.eta')))
  for (const [index, line] of LINES.entries()) {
    for (const [position, name] of NAMES.entries())
      await generateInto(join(root, 'all', `line${index}-${position}`), line, name)
  }
  for (const name of ['auth', 'require-session']) await generateInto(join(root, 'all', name), 'middleware %', name)
}

/** Controllers need the model that they are over. */
const generateInto = async (folder: string, line: string, name: string): Promise<void> => {
  const { mkdirSync } = await import('node:fs')
  mkdirSync(folder, { recursive: true })
  const typed = line.startsWith('migration')
    ? name.replace(/^.*\//, '').replace(/^./, (letter) => letter.toUpperCase())
    : name
  const lines = [...(/--(?:resource|api)/.test(line) ? [`model % --fields name,age:integer?`] : []), line]
  for (const each of lines) {
    const outcome = await runCommand(folder, ['g', ...each.replace('%', typed).split(' '), '--cwd', folder])
    if (outcome.code !== 0) throw new Error(`${each} for ${name}: ${outcome.err}`)
  }
}
