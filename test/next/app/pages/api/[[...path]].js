import { toNodeHandler } from 'sluice/to-node-handler'
import { app } from '../../app.js'

// The application reads the body itself, and answers after the function has returned.
export const config = { api: { bodyParser: false, externalResolver: true } }

export default toNodeHandler(app)
