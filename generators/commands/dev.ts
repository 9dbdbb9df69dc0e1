import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunCommand, textOption } from '../command.ts'
import { superviseServer } from '../dev/supervise.ts'
import { usageError } from '../errors.ts'
import { stripsTypes, typescriptArguments } from '../loader.ts'
import { projectFile, projectRoot } from '../project.ts'

/** `sluice dev`: serve the application in a process of its own, and start that anew on every change. Ends by a signal. */
export const dev: RunCommand = (invocation) => {
  const root = projectRoot(invocation)
  const app = projectFile(root, 'app', textOption(invocation, 'app'))
  const port = readPort(textOption(invocation, 'port') ?? invocation.env.PORT ?? '3000')
  const host = textOption(invocation, 'host') ?? 'localhost'
  const env = { NODE_ENV: 'development', ...invocation.env, PORT: port, HOST: host }
  const server = fileURLToPath(new URL(`../dev/server${extname(import.meta.url)}`, import.meta.url))
  return superviseServer({ root, env, args: [...argumentsFor(root), server, app], output: invocation.output })
}

const argumentsFor = (root: string): string[] => {
  if (process.versions.deno !== undefined) return ['run', '--allow-all', '--no-check']
  return stripsTypes() ? process.execArgv : [...process.execArgv, ...typescriptArguments(root), '--enable-source-maps']
}

const readPort = (text: string): string => {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return text
  throw usageError(`--port is a number from 0 to 65535, not ${JSON.stringify(text)}`)
}
