import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.mjs'

const EXAMPLE = new URL('../../examples/cluster/nginx.conf', import.meta.url)

/** Start nginx with the configuration of the example, in front of processes on these ports. */
export const behindNginx = async (ports: readonly number[]): Promise<{ port: number; stop(): Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'))
  const port = await freePort()
  // By default, nginx uses a server that has failed once for ten seconds no more: then all may be out at the same time
  const servers = ports.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join(' ')
  const text = readFileSync(EXAMPLE, 'utf8').replace('server 127.0.0.1:3000;', servers).replace(':8080', `:${port}`)
  writeFileSync(join(folder, 'nginx.conf'), text)
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
