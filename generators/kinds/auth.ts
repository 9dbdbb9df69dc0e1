import { type Field, parseFields } from '../fields/fields.ts'
import { type RelatedModel, relatedModel } from '../fields/relations.ts'
import { modelPath, type Name, parseName, splitWords, toPascal } from '../names/names.ts'
import { wireRoutes } from '../project/routes-file.ts'
import type { PlannedFile } from '../project/write.ts'
import { renderTemplate } from '../render.ts'
import { assertOwnTables, ownFields, registeredFields } from './auth-account.ts'
import { type CommonVariables, commonVariables, type Kind, type KindInput, testDatabase } from './kind.ts'
import { identifier, migration, migrationPath } from './migration.ts'
import { model } from './model.ts'

/**
 * Sign-in for a model: registration, login, logout and password reset with a one-time token, with their routes and
 * test.
 */
export const auth: Kind = {
  name: 'auth',
  suffix: 'Auth',
  describe: 'registration, login and password reset by mail, with sessions or tokens',
  templates: [
    ...['auth.model', 'auth.migration', 'auth.mail', 'auth.middleware', 'auth.routes', 'auth.test'],
    ...['sign-in', 'test-database'],
  ],
  options: ['jwt', 'fields'],
  plan: (input) => {
    const { root } = input
    const account = modelOf(input)
    const variables = authVariables(input, account)
    const { inside, name, kebab } = variables
    assertOwnTables(input, account, variables)
    const file = (path: string, template: string): PlannedFile => ({
      path,
      contents: renderTemplate(root, template, variables),
    })
    const steps = account.exists ? [] : accountFiles(input)
    return [
      ...steps,
      file(`src/app/models/${inside}${name}Credential.ts`, 'auth.model'),
      file(migrationPath(input, `create_${variables.credentials}_table`, steps), 'auth.migration'),
      file(variables.mailFile, 'auth.mail'),
      file(authMiddleware(input.name), 'auth.middleware'),
      file(routesFile(input), 'auth.routes'),
      ...testDatabase(input),
      file(`test/${inside}sign-in-${kebab}.ts`, 'sign-in'),
      file(`test/${inside}${kebab}-auth.test.ts`, 'auth.test'),
      ...wiringOf(input).files,
    ]
  },
  advise: (input) => {
    const { name, jwt, secret, mailFile, registered } = authVariables(input)
    const routes = routesFile(input)
    return [
      ...wiringOf(input).advice,
      `A client that registers may set: ${['email', ...registered.map((field) => field.name)].join(', ')}.`,
      `Before production: set ${secret} to at least 32 random bytes, and send the mail in ${mailFile}.`,
      ...(jwt ? ['The tokens need the package jose: npm install jose'] : []),
      `Behind a proxy, all clients share one limit. Set the number of proxies in ${routes}: clientKey({ trustProxy: 1 }).`,
      `A route for signed-in users, and one that only knows who they are:`,
      `  .get('/path', require${name}, handler)`,
      `  .get('/path', optional${name}, handler)`,
    ]
  },
}

const routesFile = ({ name: { folders, kebab } }: KindInput): string =>
  `src/app/routes/${[...folders, `${kebab}-auth`].join('/')}.ts`

const wiringOf = (input: KindInput) =>
  wireRoutes(input.root, routesFile(input), `${input.name.camel}AuthRoutes`, input.name.folders, '()')

/** Where the guards of a model are. */
export const authMiddleware = ({ folders, kebab }: Name): string =>
  `src/app/middleware/${[...folders, `${kebab}-auth`].join('/')}.ts`

/** The files of the model and its table, for a project that does not have them yet. */
const accountFiles = (input: KindInput): readonly PlannedFile[] => {
  const fields = [...parseFields('email:email:unique'), ...ownFields(input.typed)]
  const account = { ...input, fields, table: input.name.table }
  const words = splitWords(account.table).map((word) => word.toLowerCase())
  const step = parseName(`Create${toPascal(words)}Table`)
  return [...model.plan(account), ...migration.plan({ ...account, name: step })]
}

interface AuthVariables extends CommonVariables {
  /** The fields that a client may send to register, besides the address. */
  readonly registered: readonly Field[]
  /** Those of them that no two accounts share. */
  readonly uniques: readonly Field[]
  /** `--jwt`: tokens in place of sessions. */
  readonly jwt: boolean
  /** The variable of the environment that signs them. */
  readonly secret: string
  /** `.withTrashed()` if the names of deleted accounts are taken too. */
  readonly withTrashed: string
  /** `admin_user`: prefix of tables and cookies, so that models of the same name in other folders do not share them. */
  readonly prefix: string
  /** Tables of the credentials and of the sessions. */
  readonly credentials: string
  readonly sessions: string
  readonly mailFile: string
  readonly model: string
  /** Relative paths from the test to the project, and to the folder of the tests. */
  readonly top: string
  readonly helper: string
  readonly constraint: (ending: string) => string
}

const authVariables = (input: KindInput, account = modelOf(input)): AuthVariables => {
  const common = commonVariables({ ...input, table: account.table })
  const { name, snake, inside, folders } = common
  const prefix = [...folders.map((folder) => folder.replaceAll('-', '_')), snake].join('_')
  const credentials = `${prefix}_credentials`
  const registered = registeredFields(input, account)
  const jwt = input.flags.has('jwt')
  return {
    ...common,
    registered,
    uniques: registered.filter(({ unique }) => unique),
    jwt,
    secret: jwt ? 'JWT_SECRET' : 'SESSION_SECRET',
    withTrashed: input.flags.has('soft-delete') ? '.withTrashed()' : '',
    prefix,
    credentials,
    sessions: `${prefix}_sessions`,
    mailFile: `src/app/services/${inside}${name}Mail.ts`,
    model: modelPath(input.name),
    top: '../'.repeat(folders.length + 1),
    helper: '../'.repeat(folders.length) || './',
    constraint: (ending) => identifier(`${credentials}_${ending}`),
  }
}

const modelOf = ({ root, name }: KindInput): RelatedModel => relatedModel(root, modelPath(name))
