import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { hasSwitch, type Invocation, type RunCommand, textOption } from '../../command.ts'
import { type ExitCode, failure, usageError } from '../../errors.ts'
import { readDocument } from '../../from/document.ts'
import { type FromDocument, filesFrom } from '../../from/files.ts'
import { noteLines } from '../../from/notes.ts'
import { oneOf } from '../../one-of.ts'
import { type Blueprint, DATABASES, DEPLOYS, PACKAGE_MANAGERS, TEMPLATES } from '../../project/blueprint.ts'
import { assertDatabase, imageNote, usualDatabase } from '../../project/deploy.ts'
import { formatFiles } from '../../project/format.ts'
import { askBlueprint } from '../../project/questions.ts'
import { planProject, VERSIONS } from '../../project/scaffold.ts'
import { type PlannedFile, writeFiles } from '../../project/write.ts'
import { reportFiles } from '../../report.ts'
import { ownSpecifier } from '../../version.ts'

/** `sluice new <project>`: write a project into a new or empty folder, install its packages, create a repository. */
export const newProject: RunCommand = async (invocation) => {
  const root = resolve(invocation.cwd, readFolder(invocation.args[0] ?? ''))
  const name = readName(basename(root))
  assertEmpty(root)
  const blueprint = await readBlueprint(invocation, name)
  const files = planProject(blueprint)
  const written = writeFiles(root, files, { dryRun: hasSwitch(invocation, 'dry-run') })
  const code = reportFiles(invocation, root, files, written, noteLines(blueprint.from))
  return hasSwitch(invocation, 'dry-run') ? code : finish(invocation, root, blueprint, files)
}

/** A name, or `.` for the current folder, but no path to another folder. */
const readFolder = (typed: string): string => {
  if (typed === '.' || /^[A-Za-z][\w.-]{0,99}$/.test(typed)) return typed
  throw usageError(
    `${JSON.stringify(typed.slice(0, 120))} is not a name for a project: letters, digits, "-", "_" and ".", at most 100; ` +
      '--cwd is the folder that it is made in',
  )
}

/** The name of its package, in lower case. Names of its dependencies and of Windows devices are refused. */
const readName = (folder: string): string => {
  const name = folder.toLowerCase()
  const taken = name === 'sluice' || name === 'node_modules' || Object.hasOwn(VERSIONS, name)
  const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/.test(name)
  if (/^[a-z0-9][\w.-]*$/.test(name) && !name.endsWith('.') && !taken && !device) return name
  throw usageError(
    `"${folder}" cannot be the name of a project${taken ? ': it is the name of a package that a project needs' : ''}`,
  )
}

const assertEmpty = (root: string): void => {
  const status = statSync(root, { throwIfNoEntry: false })
  if (status === undefined) return
  if (!status.isDirectory()) throw failure(`${root} is a file; nothing was changed`)
  // An empty repository, such as a clone of one that was just created
  if (readdirSync(root).some((name) => name !== '.git')) throw failure(`${root} is not empty; nothing was changed`)
}

const readBlueprint = async (invocation: Invocation, name: string): Promise<Blueprint> => {
  const place = textOption(invocation, 'deploy')
  const deploy = place === undefined ? undefined : oneOf('--deploy', place, DEPLOYS)
  const from = await readFrom(invocation)
  const answers = from ? { template: 'api' } : await askBlueprint(invocation, deploy)
  const template = oneOf('--template', textOption(invocation, 'template') ?? answers.template ?? 'default', TEMPLATES)
  if (from && template !== 'api') throw usageError(`--from makes a project of the template api, not ${template}`)
  const fallback = usualDatabase(deploy, template)
  const db = oneOf('--db', textOption(invocation, 'db') ?? answers.db ?? (from ? 'none' : fallback), DATABASES)
  assertDatabase(deploy, db)
  const running = /^(\w+)\//.exec(invocation.env.npm_config_user_agent ?? '')?.[1]
  const usual = PACKAGE_MANAGERS.find((manager) => manager === running) ?? 'npm'
  const packageManager = oneOf(
    '--package-manager',
    textOption(invocation, 'package-manager') ?? usual,
    PACKAGE_MANAGERS,
  )
  return { name, template, db, packageManager, deploy, from }
}

const readFrom = async (invocation: Invocation): Promise<FromDocument | undefined> => {
  const file = textOption(invocation, 'from')
  return file === undefined ? undefined : filesFrom(await readDocument(invocation.cwd, file))
}

const finish = async (
  invocation: Invocation,
  root: string,
  { packageManager, db, deploy }: Blueprint,
  files: readonly PlannedFile[],
): Promise<ExitCode> => {
  const { output } = invocation
  const folder = invocation.args[0] === '.' ? [] : [`cd ${basename(root)}`]
  if (
    !hasSwitch(invocation, 'no-git') &&
    !isInRepository(root) &&
    !runTool('git', ['init', '--quiet', '--initial-branch=main'], root)
  ) {
    output.note('sluice: git is missing or failed; the project is not a repository')
  }
  const install = [`${packageManager} install`]
  if (!hasSwitch(invocation, 'no-install')) {
    output.note(`Installing packages: ${install[0]}`)
    if (!runTool(packageManager, ['install'], root)) {
      output.note(`sluice: the project was written, but "${install[0]}" failed in ${root}; run it again`)
      return 1
    }
    install.pop()
    // A name may make a line too long; the formatter is there only now
    writeFiles(root, await formatFiles(root, files, { again: true }), { force: true })
  }
  const note = imageNote(deploy, ownSpecifier())
  if (note) output.note(note)
  if (hasSwitch(invocation, 'json')) return 0
  const next = [
    ...folder,
    ...install,
    ...(db === 'none' ? [] : ['npx sluice g resource Post']),
    ...(db === 'postgres' || db === 'mysql' ? ['npx sluice db:create'] : []),
    ...(db === 'none' ? [] : ['npx sluice db:migrate']),
    'npx sluice dev',
  ]
  output.line(`\nNext:\n${next.map((step) => `  ${step}`).join('\n')}`)
  return 0
}

const isInRepository = (root: string): boolean =>
  spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd: root, stdio: 'ignore' }).status === 0

/** The output of the tool goes to standard error, so that standard output contains only the result of this command. */
const runTool = (tool: string, args: readonly string[], cwd: string): boolean =>
  spawnSync(tool, args, { cwd, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' }).status === 0
