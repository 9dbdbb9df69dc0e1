import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tooMany } from '../../argv.ts'
import { hasSwitch, type Invocation, type RunCommand, textOption } from '../../command.ts'
import { usageError } from '../../errors.ts'
import { parseColumns } from '../../fields/fields.ts'
import { isUniqueKey, keysOfModel } from '../../fields/unique-keys.ts'
import type { KindInput } from '../../kinds/kind.ts'
import { KINDS } from '../../kinds.ts'
import { fieldsOfModel, isDefined } from '../../models/defined-model.ts'
import { flagsOfModel, keyOfModel, tableOfModel } from '../../models/model-fields.ts'
import { assertOwnTable } from '../../models/own-table.ts'
import { unknownKind } from '../../names/kind-names.ts'
import { type Name, parseName, splitWords } from '../../names/names.ts'
import { isPlural } from '../../names/plural.ts'
import { formatFiles } from '../../project/format.ts'
import { nextStep } from '../../project/next-step.ts'
import { isProject, projectRoot } from '../../project/project.ts'
import { writeFiles } from '../../project/write.ts'
import { reportFiles } from '../../report.ts'
import { OPTIONS } from './options.ts'

/** `sluice generate <kind> <Name>`: write the files of one kind, or of all that make up a resource. */
export const generate: RunCommand = async (invocation) => {
  const [kindName = '', typed = '', ...words] = invocation.args
  const kind = KINDS.find((candidate) => candidate.name === kindName)
  if (kind === undefined) throw usageError(unknownKind(kindName))
  assertOptions(invocation, kindName)
  assertFields(words, kindName)
  const root = projectRoot(invocation)
  const name = parseName(typed, kind.suffix)
  const input = readInput(invocation, root, name)
  if (TABLES.includes(kindName) && modelSource(root, name) === undefined) checkModel(invocation, root, input)
  const { files: rendered, advice } = kind.plan(input)
  const files = await formatFiles(root, rendered)
  const dryRun = hasSwitch(invocation, 'dry-run')
  const outcome = writeFiles(root, files, { force: hasSwitch(invocation, 'force'), dryRun })
  // The advice of a kind is about its first file, not about another one that was kept in its place.
  const isKept = kindName !== 'resource' && outcome[0]?.action === 'exists'
  const kept = outcome.find(({ path, action }) => action === 'exists' && path.startsWith('src/app/models/'))
  const more = kept
    ? [`For other columns, add them to ${kept.path}; then "sluice db:diff --write" writes the migration.`]
    : []
  const next = NEW_TABLES.includes(kindName) && !dryRun ? nextStep(root, files, outcome) : []
  if (invocation.options.cwd === undefined && !isProject(root))
    invocation.output.note(
      `sluice: No package.json here depends on sluice, so the files are in ${root}; "sluice new <name>" starts a project`,
    )
  return reportFiles(invocation, root, files, outcome, isKept ? more : [...advice, ...more, ...next])
}

/** Kinds that write a model. */
const TABLES: readonly string[] = ['model', 'resource']

/** Kinds after which the database lacks a table. */
const NEW_TABLES: readonly string[] = [...TABLES, 'auth']

/** A new model has a table and, if possible, a name that no other model has in the plural. */
const checkModel = ({ args: [kind = ''], options, output }: Invocation, root: string, { name, table }: KindInput) => {
  if (options.table === undefined) assertOwnTable(root, kind, name, table)
  if (isPlural((splitWords(name.pascal).at(-1) ?? '').toLowerCase()))
    output.note(`sluice: ${name.pascal} looks like a plural; a model is one record, so its name is usually singular`)
}

const assertOptions = ({ options }: Invocation, kind: string): void => {
  const foreign = OPTIONS.find(({ name, kinds = [kind] }) => name in options && !kinds.includes(kind))
  if (foreign === undefined) return
  const names = OPTIONS.flatMap(({ name, kinds }) => (kinds?.includes(kind) ? [`--${name}`] : []))
  const article = kind === 'auth' ? 'an' : 'a'
  throw usageError(
    `--${foreign.name} is not an option of ${article} ${kind}; its options: ${names.join(', ') || 'none'}`,
  )
}

/** Kinds whose name is followed by fields. */
const WITH_FIELDS: readonly string[] = [...NEW_TABLES, 'migration', 'controller', 'validator']

/** A word with a colon is a field; any other word is refused. */
const assertFields = (words: readonly string[], kind: string): void => {
  const takesFields = WITH_FIELDS.includes(kind)
  const foreign = words.find((word) => !takesFields || !(word.includes(':') || isUniqueKey(word)))
  if (foreign === undefined) return
  if (takesFields && /^[A-Za-z]\w*[?!]?$/.test(foreign))
    throw usageError(
      `The field "${foreign}" has no type: write ${foreign.replace(/[?!]$/, '')}:string, or another type`,
    )
  throw tooMany(
    foreign,
    `sluice generate ${kind} <Name>${takesFields ? ' [field...], where a field is name:type' : ''}`,
  )
}

const readInput = (invocation: Invocation, root: string, name: Name): KindInput => {
  const source = modelSource(root, name)
  const words = invocation.args.slice(2)
  const columns = words.length === 0 ? undefined : parseColumns(words.join(','))
  const switches = Object.keys(invocation.options).filter((option) => hasSwitch(invocation, option))
  const flags = new Set([...switches, ...(source === undefined ? [] : flagsOfModel(source))])
  return {
    root,
    name,
    fields: columns?.fields ?? (source === undefined ? [] : fieldsOfModel(source)),
    typed: columns?.fields ?? [],
    unique: columns?.unique ?? (source === undefined ? [] : keysOfModel(source)),
    isDefined: source !== undefined && isDefined(source),
    key: textOption(invocation, 'key'),
    under: textOption(invocation, 'under'),
    owner: textOption(invocation, 'owner'),
    flags,
    table: readTable(textOption(invocation, 'table')) ?? tableOfModel(source) ?? name.table,
    id:
      readId(textOption(invocation, 'id')) ??
      (source !== undefined && keyOfModel(source) === 'number' ? 'int' : 'uuid'),
    now: new Date(),
  }
}

/** The existing model, so that files generated later match it. */
const modelSource = (root: string, name: Name): string | undefined => {
  const path = join(root, 'src/app/models', ...name.folders, `${name.pascal}.ts`)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

const readTable = (table: string | undefined): string | undefined => {
  if (table === undefined || /^[A-Za-z_]\w{0,62}$/.test(table)) return table
  throw usageError(`--table ${JSON.stringify(table)} is not a table name: letters, digits and "_", at most 63`)
}

const readId = (id: string | undefined): 'uuid' | 'int' | undefined => {
  if (id === undefined || id === 'uuid' || id === 'int') return id
  throw usageError(`--id must be uuid or int, not ${JSON.stringify(id)}`)
}
