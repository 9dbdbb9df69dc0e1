import { checkNames, checkOption } from '../../internal/options/check.ts'
import { checkDelay } from '../../internal/time/delay.ts'
import type { ListenOptions } from '../serve-contract.ts'

const NAMES =
  'port hostname path tls http2 signal env graceMs requestTimeoutMs headersTimeoutMs keepAliveTimeoutMs sendTimeoutMs workers'

/** Maximum number of processes: a larger number was probably meant for another option. */
const MAX_WORKERS = 1024

/**
 * @throws {TypeError} for a bad option of `listen` and `serve`: `listen: port: expected a whole number from 0 to 65535,
 * got ""`.
 */
export const checkListen = (options: ListenOptions): void => {
  checkNames('listen', options, NAMES)
  const { port, hostname, path, tls, http2, signal, workers } = options
  checkOption(
    port === undefined || (Number.isInteger(port) && port >= 0 && port <= 65_535),
    'listen: port',
    'a whole number from 0 to 65535 (0 lets the system choose)',
    port,
  )
  checkOption(isText(hostname), 'listen: hostname', 'an address or a name such as "127.0.0.1"', hostname)
  checkOption(isText(path), 'listen: path', 'the path of a unix socket', path)
  checkOption(
    tls === undefined || (tls?.key && tls.cert),
    'listen: tls',
    'an object with key and cert in PEM',
    typeof tls,
  )
  checkOption(!http2 || tls, 'listen: http2', 'tls as well: browsers speak HTTP/2 over TLS only', http2)
  checkOption(
    signal === undefined || typeof signal?.addEventListener === 'function',
    'listen: signal',
    'an AbortSignal',
    signal,
  )
  checkOption(
    workers === undefined || workers === 'auto' || (Number.isInteger(workers) && workers > 0 && workers <= MAX_WORKERS),
    'listen: workers',
    `"auto" or a whole number from 1 to ${MAX_WORKERS}`,
    workers,
  )
  for (const name of [
    'graceMs',
    'requestTimeoutMs',
    'headersTimeoutMs',
    'keepAliveTimeoutMs',
    'sendTimeoutMs',
  ] as const) {
    const ms = options[name]
    // Node's servers take whole numbers only
    if (ms !== undefined) checkDelay(ms, `listen: ${name}`)
  }
}

const isText = (value: unknown): boolean => value === undefined || (typeof value === 'string' && value !== '')
