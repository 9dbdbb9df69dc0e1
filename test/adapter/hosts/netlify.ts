import { toNetlify } from '../../../src/adapter/netlify.ts'
import { app } from './app.ts'

export default toNetlify(app)
export const config = { path: '/*' }
