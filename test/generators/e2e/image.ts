import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { plainEnv } from './packed.ts'

/** What an image would be started with. */
export interface Image {
  /** The folder that stands for `/`. */
  readonly root: string
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly check: readonly string[]
  readonly user: string
}

/**
 * Do what a Dockerfile says, each stage in a folder that stands for `/`: copy what `.dockerignore` lets in, run the
 * commands, take files from stages before. Owners are not changed, since the user is one of the image.
 */
export const buildImage = (project: string, folder: string): Image => {
  const allowed = readFileSync(join(project, '.dockerignore'), 'utf8').split('\n')
  const stages: Record<string, string> = {}
  let image = { root: '', workdir: '/', env: {}, command: [], check: [], user: 'root' } as Image
  for (const line of readFileSync(join(project, 'Dockerfile'), 'utf8').split('\n')) {
    const [, instruction, rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (instruction === undefined) continue
    const inImage = (path: string): string => join(image.root, path.startsWith('/') ? path : join(image.workdir, path))
    const words = rest.split(' ')
    if (instruction === 'FROM') {
      const root = join(folder, `stage${Object.keys(stages).length}`)
      stages[words[2] ?? 'last'] = root
      mkdirSync(root, { recursive: true })
      image = { root, workdir: '/', env: {}, command: [], check: [], user: 'root' }
    } else if (instruction === 'WORKDIR') {
      image = { ...image, workdir: rest }
      mkdirSync(inImage('.'), { recursive: true })
    } else if (instruction === 'ENV') {
      const pairs = words.map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string])
      image = { ...image, env: { ...image.env, ...Object.fromEntries(pairs) } }
    } else if (instruction === 'COPY') {
      const from = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1]
      const paths = words.slice(from === undefined ? 0 : 1)
      for (const path of paths.slice(0, -1)) {
        if (from === undefined && !allowed.includes(`!${path}`)) throw new Error(`.dockerignore keeps ${path} out`)
        const source = from === undefined ? join(project, path) : join(stages[from] ?? '', path)
        const to = paths.at(-1) ?? ''
        const target = to.endsWith('./') ? join(inImage(to), path.split('/').at(-1) ?? '') : inImage(to)
        mkdirSync(dirname(target), { recursive: true })
        cpSync(source, target, { recursive: true, verbatimSymlinks: true })
      }
    } else if (instruction === 'RUN') {
      // Not `npm ci`: it refuses a lock that lacks packages of other platforms, which a registry need not have
      const here = rest
        .replace(/ && chown \S+ \S+$/, '')
        .replaceAll(' /', ` ${image.root}/`)
        .replace(/^npm ci$/, 'npm install --no-audit --no-fund --prefer-offline')
      const env = plainEnv(image.env)
      const ended = spawnSync('sh', ['-c', here], { cwd: inImage('.'), env, encoding: 'utf8', timeout: 170_000 })
      if (ended.status !== 0) throw new Error(`RUN ${rest} ended with ${ended.status}:\n${ended.stdout}${ended.stderr}`)
    } else if (instruction === 'USER') image = { ...image, user: rest }
    else if (instruction === 'CMD') image = { ...image, command: JSON.parse(rest) }
    else if (instruction === 'HEALTHCHECK') image = { ...image, check: JSON.parse(rest.replace(/^.*? CMD /, '')) }
    else if (instruction === 'VOLUME' && !existsSync(inImage(rest))) throw new Error(`There is no ${rest}`)
  }
  return image
}

/** A program in the image, to its end. */
export const runIn = (image: Image, words: readonly string[], more: Readonly<Record<string, string>> = {}) => {
  const [program = '', ...args] = words
  const { status, stdout, stderr } = spawnSync(program === 'node' ? process.execPath : program, args, {
    cwd: join(image.root, image.workdir),
    env: { PATH: process.env.PATH, ...image.env, ...more },
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, out: stdout + stderr }
}

/** The command of the image, until it says where it listens; `end` sends the signal and gives the exit. */
export const startImage = async (image: Image, more: Readonly<Record<string, string>> = {}) => {
  const [, ...args] = image.command
  const child = spawn(process.execPath, args, {
    cwd: join(image.root, image.workdir),
    env: { PATH: process.env.PATH, ...image.env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      const [port] = /(?<=:)\d+$/m.exec(String(chunk)) ?? []
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exit
  }
  return { origin, end }
}
