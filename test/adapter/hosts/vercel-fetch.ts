import { toVercel } from '../../../src/adapter/vercel.ts'
import { app } from './app.ts'

export default toVercel(app)
