import { fetchOf } from './contenders.mjs'

/** Worker of one contender and one row; the bundler puts both in. */
export default { fetch: fetchOf(CONTENDER, ROW).fetch }
