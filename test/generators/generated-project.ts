import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledTemplates, renderFile } from '../../generators/render.ts'
import { filesIn, runCommand } from './run-command.ts'
import { linkPackages, temporaryFolder } from './sandbox.ts'

/** The styles of names that the issue lists. */
export const NAMES = ['user', 'UserProfile', 'admin/User', 'blog-post', 'Category', 'Person'] as const

/** A field of each type, with each modifier. */
export const EVERYTHING =
  'name:string! price:decimal(10,2) status:enum(draft,live) owner:references(Owner) tags:json sku:string:unique ' +
  'reviewer:references(admin/Reviewer)? code:string(20):index mail:email:unique? home:url? token:uuid:unique ' +
  'rank:integer:unique weight:number? done:boolean born:date note:text?'

/** The settings of Biome in a new project. */
export const BIOME = renderFile(join(bundledTemplates(), 'project/biome.json.ejs'), {})

/** Every kind with every combination of its flags; `%` stands for the name. */
const LINES: readonly string[] = [
  'model %',
  'model % --soft-delete',
  'model % --no-timestamps',
  'model % --soft-delete --no-timestamps --table things',
  'model % name,bio:text?,age:integer,score:number?,active:boolean,born:date?',
  'model % && resource %',
  'controller %',
  'controller % --resource',
  'controller % --api',
  'middleware %',
  'migration Create%Table',
  'migration Create%Table --soft-delete name,bio:text?,age:integer,score:number?,active:boolean,born:date?',
  'migration Add%ToOrders',
  'migration Remove%FromOrders',
  'migration Do%',
  'validator %',
  'validator % --id int',
  'validator % name,age:integer?,born:date',
  'service %',
  'resource %',
  'resource % title,stars:integer --soft-delete',
  'resource % class:string,order:integer,default:boolean?,await:date',
  'resource % --lock --no-timestamps title,body:text?,page:integer?,done:boolean',
  `resource % ${EVERYTHING}`,
  'model % kind:enum(a,b)? && model Thing maker:references(%)',
  'model % done:boolean kind:enum(a,b)? && controller % --api',
  `model % ${EVERYTHING} && factory % && seed %`,
  'model % && factory % && seed %',
  'resource % code:uuid:unique && factory %',
  'seed %',
  'provider %',
  'auth %',
  'auth % name:string(80) born:date? terms:boolean',
  'auth % username:string(40):unique rank:integer:unique? --jwt',
  'model % email:email:unique nick:string && auth % nick:string',
  'model % email:email:unique isAdmin:boolean? tags:json? --lock --soft-delete && auth %',
  'model % title:string --lock --soft-delete --no-timestamps --table things && resource % && factory %',
  'resource % title:string --key slug --lock',
  'model Thing name:string && resource % thing:references(Thing):cascade title:string unique(thing,title) && factory %',
  'model Thing name:string && resource % title:string --under Thing',
  'auth Owner && resource % title:string --owner Owner',
  'auth Owner --jwt && resource % title:string --owner Owner',
  // Names that the generated tests and controllers use themselves
  'model Visitor name:string && model Sample visitor:references(Visitor) && resource % sample:references(Sample)',
]

/** Names of words that the generated code could use itself, each with the commands that use it most. */
const WORDS = [
  ['Location', 'model % name:string && controller % --resource'],
  ['Location', 'resource %'],
  ['Login', 'auth %'],
  ['Guard', 'auth %'],
] as const

/** A project with every line for every name, each in a folder of its own below `all/`: two may make the same file. */
export const generateEverything = async (): Promise<string> => {
  const root = temporaryFolder()
  linkPackages(root)
  await generateAllInto(root, ['sluice-source'])
  return root
}

/** The same into a folder that has its packages already. */
export const generateAllInto = async (root: string, customConditions: readonly string[] = []): Promise<void> => {
  const settings = JSON.parse(renderFile(join(bundledTemplates(), 'project/tsconfig.json.ejs'), {}))
  settings.compilerOptions.customConditions = customConditions
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ ...settings, include: ['all'] }))
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(root, 'biome.json'), BIOME)
  for (const [index, line] of LINES.entries()) {
    // The newer lines are long: two names try them, one in a folder.
    const names = index < 22 ? NAMES : NAMES.slice(1, 3)
    for (const [position, name] of names.entries())
      await generateInto(join(root, 'all', `line${index}-${position}`), line, name)
  }
  // The imports of a name that comes before "require" stand in another order
  await generateInto(join(root, 'all', 'account'), 'auth %', 'Account')
  for (const [index, [name, line]] of WORDS.entries()) await generateInto(join(root, 'all', `word${index}`), line, name)
  for (const name of ['auth', 'require-session']) await generateInto(join(root, 'all', name), 'middleware %', name)
}

/** Controllers need the model that they are over. Each line runs twice: the second run must not change anything. */
const generateInto = async (folder: string, line: string, name: string): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const typed = line.startsWith('migration')
    ? name.replace(/^.*\//, '').replace(/^./, (letter) => letter.toUpperCase())
    : name
  // A provider has a test where there are tests
  mkdirSync(join(folder, 'test'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/app.ts'), "import { createApp } from 'sluice'\n\nexport const app = createApp()\n")
  const related = line.includes('references')
    ? ['model Owner name:string age:integer? born:date', 'model admin/Reviewer boss:references(Owner)']
    : []
  const over = /^controller.*--(?:resource|api)/.test(line) ? ['model % name,age:integer?'] : []
  const lines = [...related, ...over, ...line.split(' && ')]
  const run = (each: string) => runCommand(folder, ['g', ...each.replace('%', typed).split(' '), '--cwd', folder])
  for (const each of lines) {
    const outcome = await run(each)
    if (outcome.code !== 0) throw new Error(`${each} for ${name}: ${outcome.err}`)
  }
  const before = filesIn(folder)
  // The other model has got a relation: its own line would say that it was changed
  const again = /--(?:under|owner)/.test(line) ? lines.slice(-1) : lines
  for (const each of again) {
    const { code, out, err } = await run(each)
    if (code !== 0 || /^(?:create|update|overwrite|skip) /m.test(out))
      throw new Error(`${each} for ${name}, a second time: ${out}${err}`)
  }
  if (JSON.stringify(filesIn(folder)) !== JSON.stringify(before)) throw new Error(`${line} twice changed a file`)
}
