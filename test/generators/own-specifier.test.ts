import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DEPLOYS } from '../../generators/project/blueprint.ts'
import { imageNote } from '../../generators/project/deploy.ts'
import { ownSpecifier, ownVersion } from '../../generators/version.ts'
import { temporaryFolder } from './sandbox.ts'

/** Where the command is, in a folder whose package.json names it so. */
const installed = (specifier: unknown, place = 'node_modules/sluice', kind = 'dependencies') => {
  const root = temporaryFolder()
  const own = join(root, place, 'dist/generators/cli.js')
  mkdirSync(dirname(own), { recursive: true })
  writeFileSync(own, '')
  writeFileSync(join(root, 'sluice 1.tgz'), '')
  writeFileSync(join(root, 'package.json'), JSON.stringify({ [kind]: { sluice: specifier } }))
  return { root, own }
}

describe('P25: a new project depends on the package that made it', () => {
  test.each<[string, string | undefined, string?]>([
    ['npm, yarn or bun', undefined],
    ['pnpm', 'node_modules/.pnpm/sluice@file+sluice.tgz/node_modules/sluice'],
    ['a development dependency', undefined, 'devDependencies'],
  ])('on its tarball, which no registry has, with %s', (_, place, kind) => {
    const { root, own } = installed('file:sluice 1.tgz', place, kind)
    expect(ownSpecifier(own)).toBe(`file:${join(root, 'sluice 1.tgz')}`)
  })

  test('on its tarball by an absolute path', () => {
    const { root } = installed('')
    const { own } = installed(`file:${join(root, 'sluice 1.tgz')}`)
    expect(ownSpecifier(own)).toBe(`file:${join(root, 'sluice 1.tgz')}`)
  })

  test.each<[string, unknown, string?]>([
    ['it came from a registry', '^0.1.0'],
    ['the tarball is gone', 'file:gone.tgz'],
    ['package.json names something else', 7],
    ['it is not below node_modules', 'file:sluice 1.tgz', 'sluice'],
  ])('on its version if %s', (_, specifier, place) => {
    expect(ownSpecifier(installed(specifier, place).own)).toBe(`^${ownVersion()}`)
  })

  test('on its version if package.json cannot be read', () => {
    const { root, own } = installed('')
    writeFileSync(join(root, 'package.json'), '{')
    expect(ownSpecifier(own)).toBe(`^${ownVersion()}`)
  })
})

describe('P25: an image cannot install a tarball of this machine, so sluice new says what to do', () => {
  test.each(DEPLOYS)('%s', (deploy) => {
    const note = imageNote(deploy, 'file:/home/ada/sluice-0.1.0.tgz')
    if (deploy === 'docker' || deploy === 'fly')
      expect(note).toContain('cannot install file:/home/ada/sluice-0.1.0.tgz')
    else expect(note).toBeUndefined()
  })

  test('nothing for a version of the registry, or without a target', () => {
    expect(imageNote('docker', '^0.1.0')).toBeUndefined()
    expect(imageNote(undefined, 'file:/home/ada/sluice-0.1.0.tgz')).toBeUndefined()
  })
})
