import { checkNames, checkOption } from '../../internal/options/check.ts'
import { checkDelay } from '../../internal/time/delay.ts'
import type { ListenOptions } from '../serve-contract.ts'

/** Times in milliseconds. Node's servers take whole numbers only. */
const TIMES = ['graceMs', 'requestTimeoutMs', 'headersTimeoutMs', 'keepAliveTimeoutMs', 'sendTimeoutMs'] as const

const NAMES = `port hostname path tls http2 signal env ${TIMES.join(' ')} workers`

/** Maximum number of processes: a larger number was probably meant for another option. */
const MAX_WORKERS = 1024

/** @throws {TypeError} for a bad option of `listen` and `serve`. */
export const checkListen = (options: ListenOptions): void => {
  checkNames('listen', options, NAMES)
  const { port = 0, hostname, path, tls, http2, signal, workers } = options
  const check = (valid: unknown, name: string, expected: string, got: unknown): void =>
    checkOption(valid, `listen: ${name}`, expected, got)
  const isCount = (value: unknown, min: number, max: number): boolean =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
  check(isCount(port, 0, 65_535), 'port', 'a whole number from 0 to 65535 (0 lets the system choose)', port)
  check(isText(hostname), 'hostname', 'an address or a name such as "127.0.0.1"', hostname)
  check(isText(path), 'path', 'the path of a unix socket', path)
  check(tls === undefined || (tls?.key && tls.cert), 'tls', 'an object with key and cert in PEM', typeof tls)
  check(!http2 || tls, 'http2', 'tls as well: browsers speak HTTP/2 over TLS only', http2)
  check(signal === undefined || typeof signal?.addEventListener === 'function', 'signal', 'an AbortSignal', signal)
  const isWorkers = workers === undefined || workers === 'auto' || isCount(workers, 1, MAX_WORKERS)
  check(isWorkers, 'workers', `"auto" or a whole number from 1 to ${MAX_WORKERS}`, workers)
  for (const name of TIMES) if (options[name] !== undefined) checkDelay(options[name], `listen: ${name}`)
}

const isText = (value: unknown): boolean => value === undefined || (typeof value === 'string' && value !== '')
