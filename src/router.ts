import type { CreateRouter } from './internal/route/match.ts'
import { createRadixRouter } from './internal/route/radix.ts'

export type { CreateRouter, Match, Router, RouterEntry } from './internal/route/match.ts'

/**
 * A radix tree for each method: static segments before `:name` before `*name`. Look-up time grows with the length of
 * the path, not with the number of routes. `sluice/router/segments`, which `toFetch` uses on the edge, is smaller.
 *
 * @param strict true makes a trailing slash significant in patterns and paths
 * @example
 * const { find } = createRouter([{ method: 'GET', path: '/users/:id', value: 1 }])
 * find('GET', '/users/7') // { value: 1, params: { id: '7' } }
 */
export const createRouter: CreateRouter = createRadixRouter
