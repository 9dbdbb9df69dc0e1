import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSwitch, type RunCommand } from '../../command.ts'
import { table } from '../../output.ts'
import { resolveFrom, stripsTypes } from '../../project/loader.ts'
import { projectRoot } from '../../project/project.ts'
import { ownVersion } from '../../version.ts'

/** Packages that features depend on. */
const PACKAGES = ['sluice', 'kysely', '@photostructure/sqlite', 'pg', 'mysql2', 'tsx', 'typescript', 'esbuild'] as const

/** `sluice info`: the versions that a bug report needs. */
export const info: RunCommand = (invocation) => {
  const root = projectRoot(invocation)
  const facts: Readonly<Record<string, string>> = {
    sluice: ownVersion(),
    runtime: runtimeName(),
    system: `${process.platform} ${process.arch}`,
    project: root,
    sources: stripsTypes() ? 'run by the runtime' : 'run by tsx of the project',
  }
  const packages = Object.fromEntries(PACKAGES.map((name) => [name, installedVersion(root, name) ?? 'not installed']))
  if (hasSwitch(invocation, 'json')) invocation.output.line(JSON.stringify({ ...facts, packages }, null, 2))
  else {
    const { paint } = invocation.output
    const rows = [...Object.entries(facts), ['', ''], ...Object.entries(packages)].map(([name = '', value = '']) => [
      name,
      value,
    ])
    for (const line of table(rows)) invocation.output.line(line.replace(/^\S+/, (name) => paint.bold(name)))
  }
  return 0
}

const runtimeName = (): string => {
  const { bun, deno, node } = process.versions
  return bun !== undefined ? `bun ${bun}` : deno !== undefined ? `deno ${deno}` : `node ${node}`
}

/** The version in the package.json that the project resolves the package to. */
const installedVersion = (root: string, name: string): string | undefined => {
  const path = resolveFrom(root, `${name}/package.json`) ?? join(root, 'node_modules', name, 'package.json')
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { version?: string }).version
  } catch {
    return undefined
  }
}
