import { createApp, methodNotAllowed } from 'sluice'
import { cors } from 'sluice/middleware/cors'
import { openapiRoute } from 'sluice/openapi'
import { articles } from './articles.ts'
import { users } from './users.ts'

/** The RealWorld API. Its type knows every route: `createClient<typeof app>`. */
export const app = createApp<unknown, object>({ methodNotAllowed, basePath: '/api' })
  .use(cors())
  .mount('/', users)
  .mount('/', articles)

openapiRoute('/openapi.json', { info: { title: 'Conduit', version: '1.0.0' } })(app)
