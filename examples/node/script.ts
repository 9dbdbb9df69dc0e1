import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

let built: Promise<string> | undefined

/** The script of the page with the modules that it imports, made when it is first asked for. */
export const script = (): Promise<string> => {
  built ??= bundle()
  return built
}

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./browser.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['sluice-source'],
    write: false,
  })
  return outputFiles[0]!.text
}
