import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSwitch, type Invocation, type RunCommand, textOption } from '../command.ts'
import { usageError } from '../errors.ts'
import { type Field, fieldsOfModel, parseFields } from '../fields.ts'
import type { Kind, KindInput } from '../kinds/kind.ts'
import { KINDS } from '../kinds.ts'
import { type Name, parseName } from '../names.ts'
import { projectRoot } from '../project.ts'
import { reportFiles } from '../report.ts'
import { planResource, RESOURCE } from '../resource.ts'
import { didYouMean } from '../suggest.ts'
import { writeFiles } from '../write.ts'

/** `sluice generate <kind> <Name>`: write the files of one kind, or of all that make up a resource. */
export const generate: RunCommand = (invocation) => {
  const [kindName = '', typed = ''] = invocation.args
  const kind = KINDS.find((candidate) => candidate.name === kindName)
  if (kind === undefined && kindName !== RESOURCE.name) throw unknownKind(kindName)
  assertOptions(invocation, kind ?? RESOURCE)
  const root = projectRoot(invocation)
  const input = readInput(invocation, root, parseName(typed, kind?.suffix ?? ''))
  const files = kind === undefined ? planResource(input) : planOne(kind, input)
  const dryRun = hasSwitch(invocation, 'dry-run')
  const outcome = writeFiles(root, files, { force: hasSwitch(invocation, 'force'), dryRun })
  return reportFiles(invocation, root, files, outcome)
}

const planOne = (kind: Kind, input: KindInput) => {
  if (kind.name === 'migration' && input.name.folders.length > 0)
    throw usageError('A migration takes a name without folders')
  return kind.plan(input)
}

const unknownKind = (kind: string): Error => {
  const names = [...KINDS.map(({ name }) => name), RESOURCE.name]
  return usageError(`There is no kind "${kind}".${didYouMean(kind, names)}\nKinds: ${names.join(', ')}`)
}

/** Options of every kind. */
const SHARED: readonly string[] = ['dry-run', 'force', 'json', 'cwd']

const assertOptions = ({ options }: Invocation, kind: Kind | typeof RESOURCE): void => {
  const foreign = Object.keys(options).find((option) => !SHARED.includes(option) && !kind.options.includes(option))
  if (foreign === undefined) return
  const taken = kind.options.length === 0 ? 'none of its own' : kind.options.map((option) => `--${option}`).join(', ')
  throw usageError(`--${foreign} means nothing to a ${kind.name}; it takes ${taken}`)
}

const readInput = (invocation: Invocation, root: string, name: Name): KindInput => {
  const given = textOption(invocation, 'fields')
  return {
    root,
    name,
    fields: given === undefined ? modelFields(root, name) : parseFields(given),
    flags: new Set(Object.keys(invocation.options).filter((option) => hasSwitch(invocation, option))),
    table: readTable(textOption(invocation, 'table')) ?? name.table,
    id: readId(textOption(invocation, 'id')),
    now: new Date(),
  }
}

/** Columns of the model that is there already: what is made later then fits it. */
const modelFields = (root: string, name: Name): readonly Field[] => {
  const path = join(root, 'src/app/models', ...name.folders, `${name.pascal}.ts`)
  return existsSync(path) ? fieldsOfModel(readFileSync(path, 'utf8')) : []
}

const readTable = (table: string | undefined): string | undefined => {
  if (table === undefined || /^[A-Za-z_]\w{0,62}$/.test(table)) return table
  throw usageError(`--table ${JSON.stringify(table)} is no table name: letters, digits and "_", at most 63`)
}

const readId = (id = 'uuid'): 'uuid' | 'int' => {
  if (id === 'uuid' || id === 'int') return id
  throw usageError(`--id is uuid or int, not ${JSON.stringify(id)}`)
}
