import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { strangersIn } from './must-not-appear.mjs'
import { tool } from './workspace.mjs'

const CONDITIONS = ['workerd', 'worker', 'browser']

/** Bundlers as functions: an entry in, the code out. */
const bundlers = {
  esbuild: async (entry, folder) => {
    const { build } = await tool('esbuild')
    const { outputFiles } = await build({
      entryPoints: [entry],
      absWorkingDir: folder,
      bundle: true,
      format: 'esm',
      conditions: CONDITIONS,
      write: false,
    })
    return outputFiles[0].text
  },
  rollup: async (entry) => {
    const [{ rollup }, { nodeResolve }] = [await tool('rollup'), await tool('@rollup/plugin-node-resolve')]
    const built = await rollup({
      input: entry,
      plugins: [nodeResolve({ exportConditions: CONDITIONS })],
      onwarn: () => {},
    })
    return shippedOf((await built.generate({ format: 'esm', inlineDynamicImports: true })).output)
  },
  vite: async (entry, folder) => {
    const { build } = await tool('vite')
    const built = await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      resolve: { conditions: CONDITIONS },
      build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: 'out' } },
    })
    return shippedOf([built].flat()[0].output)
  },
}

const shippedOf = (output) =>
  output
    .filter(({ type }) => type === 'chunk')
    .map(({ code }) => code)
    .join('\n')

const bundleOf = (bundler, entry, folder) => {
  const copy = join(folder, `${entry}.mjs`)
  cpSync(fileURLToPath(new URL(`./entries/${entry}.mjs`, import.meta.url)), copy)
  return bundlers[bundler](copy, folder)
}

/** What a bundle of one route holds that it should not, and whether it still answers. */
const check = async (bundler, entry, folder) => {
  const code = await bundleOf(bundler, entry, folder)
  const strange = strangersIn(entry, code)
  const file = join(folder, `out-${bundler}-${entry}-${Date.now()}.mjs`)
  writeFileSync(file, code)
  const { fetch } = await import(pathToFileURL(file).href)
  const answer = fetch && entry !== 'pipe-validated' && (await (await fetch(new Request('http://localhost/'))).text())
  return [
    ...strange.map((finding) => `${bundler}: ${finding}`),
    ...(answer === false || answer === 'hello' ? [] : [`${bundler}, ${entry}: answers ${answer}`]),
  ]
}

/** Bundle entries with each bundler, while the package does not say that its modules have no side effects. */
export const bundleFindings = async ({ folder, installed, manifest }) => {
  const { sideEffects, ...silent } = manifest
  writeFileSync(join(installed, 'package.json'), JSON.stringify(silent))
  try {
    const findings = []
    for (const entry of ['pipe', 'pipe-cors', 'pipe-validated', 'tiny', 'create-app'])
      for (const bundler of Object.keys(bundlers)) findings.push(...(await check(bundler, entry, folder)))
    // esbuild keeps the whole of a namespace that another file exports: docs/z.md
    for (const bundler of ['rollup', 'vite'])
      findings.push(...strangersIn('z-object', await bundleOf(bundler, 'z-of-root', folder)))
    return findings
  } finally {
    writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest, null, 2))
  }
}
