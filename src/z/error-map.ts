import { getGlobalMap, setGlobalMap } from '../internal/z/error-map.ts'
import type { ErrorMap } from '../internal/z/issue.ts'
import { defaultErrorMap } from './default-error-map.ts'

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
 * getErrorMap()({ code: 'not_finite', path: [], message: '' }, { data: 1, defaultError: '' }).message
 */
export const getErrorMap = (): ErrorMap => getGlobalMap() ?? defaultErrorMap
