import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Invocation, type RunCommand, textOption } from '../../command.ts'
import { freePort } from '../../dev/port.ts'
import { superviseServer } from '../../dev/supervise.ts'
import { usageError } from '../../errors.ts'
import { wantsColor } from '../../output.ts'
import { loadProjectEnv, stripsTypes, typescriptArguments } from '../../project/loader.ts'
import { projectFile, projectRoot } from '../../project/project.ts'

/** `sluice dev`: serve the application in a separate process, restarted on every change. Ends with a signal. */
export const dev: RunCommand = async (invocation) => {
  const root = projectRoot(invocation)
  // A copy: what `.env` says now must not override what it says at the next start.
  const ambient = { ...invocation.env }
  const app = projectFile(root, textOption(invocation, 'app'))
  const preferred = readPort(textOption(invocation, 'port') ?? (await portOf(invocation, root)))
  const host = textOption(invocation, 'host') ?? 'localhost'
  const port = await freePort(preferred, host)
  const { output } = invocation
  if (port !== preferred && preferred !== 0)
    output.note(output.paint.yellow(`Port ${preferred} is in use, using ${port}`))
  const env = { ...ambient, NODE_ENV: ambient.NODE_ENV || 'development', HOST: host, ...colors(ambient) }
  const server = fileURLToPath(new URL(`../../dev/server${extname(import.meta.url)}`, import.meta.url))
  return superviseServer({ root, app, env, args: [...argumentsFor(root), server, app], port, host, output })
}

/** The standard error of the server passes through this process, so the server itself sees no terminal. */
const colors = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  wantsColor(env, process.stderr) ? { FORCE_COLOR: '1' } : {}

const argumentsFor = (root: string): string[] => {
  if (process.versions.deno !== undefined) return ['run', '--allow-all', '--no-check']
  return stripsTypes() ? process.execArgv : [...process.execArgv, ...typescriptArguments(root), '--enable-source-maps']
}

/** The port of the environment, else of `.env`, as the server of the project reads it, else 3000. */
const portOf = async ({ env }: Invocation, root: string): Promise<string> =>
  env.PORT || (await loadProjectEnv(root)).PORT || '3000'

const readPort = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text)
  throw usageError(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}`)
}
