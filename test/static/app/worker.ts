import { createApp } from '../../../src/app.ts'
import { serveStatic } from '../../../src/static.ts'

export default { fetch: createApp().use(serveStatic({ root: 'unused', fallback: 'index.html', maxAge: 60 })).fetch }
