import { readEnv } from '#runtime/core'
import { checkNames } from '../../internal/options/check.ts'
import type { LogEntry } from './entry.ts'

/** Options of {@link colorFormat}. */
export interface ColorFormatOptions {
  /**
   * Whether to use colours. @default true, unless the variable NO_COLOR is not empty (no-color.org), read at the first
   * line
   */
  readonly enabled?: boolean
}

/** SGR colours of 2xx, 3xx, 4xx and 5xx: green, cyan, yellow, red. */
const COLORS = [0, 0, 32, 36, 33, 31]

/**
 * A format for the logger: its line of text with a coloured status, for terminals.
 *
 * @example
 * createApp().use(logger({ format: colorFormat() }))
 */
export const colorFormat = (options: ColorFormatOptions = {}): ((entry: LogEntry) => string) => {
  checkNames('colorFormat', options, 'enabled:boolean')
  let enabled = options.enabled
  return ({ method, path, status, duration }) => {
    enabled ??= !readEnv('NO_COLOR')
    const colored = enabled ? `\x1b[${COLORS[Math.floor(status / 100)] ?? 0}m${status}\x1b[0m` : status
    return `${method} ${path} ${colored} ${duration}ms`
  }
}
