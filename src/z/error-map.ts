import { getGlobalMap, setGlobalMap } from '../internal/z/error-map.ts'
import type { ErrorMap } from '../internal/z/issue.ts'

/**
 * Set the map for the messages of every schema of `sluice/z`; `undefined` returns to the built-in messages.
 *
 * @example
 * setErrorMap((issue, { defaultError }) => ({ message: issue.code === 'invalid_type' ? 'Wrong type' : defaultError }))
 */
export const setErrorMap = (map?: ErrorMap): void => setGlobalMap(map)

/**
 * The map that writes messages now: the one of `setErrorMap`, else the built-in one.
 *
 * @example
 * getErrorMap() === defaultErrorMap // true
 */
export const getErrorMap = (): ErrorMap => getGlobalMap() ?? defaultErrorMap

/**
 * The map of built-in messages, for maps that fall back to it: it returns the `defaultError` that it is passed.
 *
 * @example
 * setErrorMap((issue, context) => (issue.code === 'custom' ? { message: 'No' } : defaultErrorMap(issue, context)))
 */
export const defaultErrorMap: ErrorMap = (_, { defaultError }) => ({ message: defaultError })
