import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * The budgets of size-limit.json as one table: `npm run size`. Peers are those of TARGETS, bundled with the same flags:
 * esbuild `--bundle --minify`, conditions of the edge, gzip -9.
 */
const PEERS = {
  'router alone': 'hono TrieRouter 1,494',
  'sluice/pipe, one route': 'hono/tiny 5,971',
  'sluice/pipe + cors': 'hono/tiny 6,467',
  'sluice/tiny, one route': 'hono/tiny 5,971',
  'createApp of sluice, one route': 'hono 8,427',
  'helmet + cors + validated POST, sluice/z': 'hono/tiny + zod/mini 12,894',
  'helmet + cors + validated POST, sluice/z/mini': 'hono/tiny + valibot 9,512',
  'three fields, sluice/z': 'zod/mini 4,872',
  'three fields, sluice/z/mini': 'valibot 1,375',
}

/** The entries of size-limit.json: `{ name, size, sizeLimit, passed }`, in bytes. */
export const headlines = () => {
  const { stdout, stderr } = spawnSync('npx', ['size-limit', '--json', '--config', 'size-limit.json'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  })
  if (!stdout.startsWith('[')) throw new Error(stdout + stderr)
  return JSON.parse(stdout)
}

const figure = (bytes) => bytes.toLocaleString('en-US').padStart(7)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = headlines()
  const width = Math.max(...rows.map(({ name }) => name.length))
  console.log(`${'entry'.padEnd(width)}    bytes  budget  peer`)
  for (const { name, size, sizeLimit, passed } of rows)
    console.log(
      `${name.padEnd(width)}  ${figure(size)} ${figure(sizeLimit)}  ${PEERS[name] ?? ''}${passed ? '' : '  TOO LARGE'}`,
    )
  process.exitCode = rows.every(({ passed }) => passed) ? 0 : 1
}
