import { removeField } from '#runtime/core'
import { checkNames, checkOption, checkRecord } from '../internal/options/check.ts'
import { passing } from '../internal/route/passing.ts'
import type { FieldList, Middleware } from '../internal/types/context.ts'
import { addEdit } from '../kernel/edits.ts'

/** A policy, with an optional endpoint that gets its reports. */
type ReportOnly<Policy extends string> = Policy | `${Policy}; report-to="${string}"`

/** Options of {@link securityHeaders}; `false` leaves a header out. */
export interface SecurityHeadersOptions {
  /** Cross-Origin-Opener-Policy: which windows may hold a reference to the page. @default 'same-origin' */
  readonly crossOriginOpenerPolicy?:
    | false
    | ReportOnly<'same-origin' | 'same-origin-allow-popups' | 'noopener-allow-popups' | 'unsafe-none'>
  /** Cross-Origin-Embedder-Policy: which resources of other origins the page may load. @default false */
  readonly crossOriginEmbedderPolicy?: false | ReportOnly<'require-corp' | 'credentialless' | 'unsafe-none'>
  /** Cross-Origin-Resource-Policy: which pages may load the response without CORS. @default 'same-origin' */
  readonly crossOriginResourcePolicy?: false | 'same-origin' | 'same-site' | 'cross-origin'
  /** Origin-Agent-Cluster: a separate process for the origin. @default true */
  readonly originAgentCluster?: boolean
  /** Permissions-Policy: `'*'`, `'self'`, origins by feature, camelCase or kebab-case; `[]` for no one. @default {} */
  readonly permissionsPolicy?: Readonly<Record<string, readonly string[]>>
  /** Reporting-Endpoints: URLs by the name that policies use. @default none */
  readonly reportingEndpoints?: Readonly<Record<string, string | URL>>
  /** X-DNS-Prefetch-Control. @default 'off' */
  readonly dnsPrefetchControl?: false | 'on' | 'off'
  /** X-Permitted-Cross-Domain-Policies, for readers of PDF and Flash. @default 'none' */
  readonly permittedCrossDomainPolicies?: false | 'none' | 'master-only' | 'by-content-type' | 'by-ftp-filename' | 'all'
  /** X-XSS-Protection: `'0'` turns off the filter of old browsers, which has faults of its own. @default '0' */
  readonly xssProtection?: false | '0'
  /** Remove `X-Powered-By`, which a proxied response may have. @default true */
  readonly hidePoweredBy?: boolean
}

/** Header, default and allowed values, by option, for headers with a single keyword. */
const WORDS: Readonly<Record<string, readonly [field: string, fallback: string | boolean, allowed: RegExp]>> = {
  crossOriginOpenerPolicy: [
    'cross-origin-opener-policy',
    'same-origin',
    /^(same-origin(-allow-popups)?|noopener-allow-popups|unsafe-none)(; report-to="[\w-]+")?$/,
  ],
  crossOriginEmbedderPolicy: [
    'cross-origin-embedder-policy',
    false,
    /^(require-corp|credentialless|unsafe-none)(; report-to="[\w-]+")?$/,
  ],
  crossOriginResourcePolicy: ['cross-origin-resource-policy', 'same-origin', /^(same-(origin|site)|cross-origin)$/],
  originAgentCluster: ['origin-agent-cluster', true, /^true$/],
  xssProtection: ['x-xss-protection', '0', /^0$/],
  dnsPrefetchControl: ['x-dns-prefetch-control', 'off', /^(on|off)$/],
  permittedCrossDomainPolicies: [
    'x-permitted-cross-domain-policies',
    'none',
    /^(none|master-only|by-content-type|by-ftp-filename|all)$/,
  ],
}

/** A key of a structured field (RFC 9651 §3.1.2). */
const KEY = /^[a-z*][a-z\d_.*-]*$/

/** An origin, a URL or a path, without characters that would end the string: quotes, spaces, commas, backslashes. */
const ADDRESS = /^([a-z][a-z\d+.-]*:)?\/[!#-&(-+\--[\]-~]+$/i

/**
 * Send headers that {@link helmet} leaves out: isolation from other origins, permissions, reporting endpoints.
 *
 * Sets one constant list of headers on every response, errors included, unless the handler has set them.
 *
 * @throws {TypeError} when created, for a bad option: an unknown value, or a name or URL that would break the header.
 * @example
 * createApp().use(securityHeaders({ permissionsPolicy: { camera: [], geolocation: ['self'] } }))
 */
export const securityHeaders = (options: SecurityHeadersOptions = {}): Middleware => {
  const names = `permissionsPolicy reportingEndpoints hidePoweredBy:boolean ${Object.keys(WORDS).join(' ')}`
  checkNames('securityHeaders', options, names)
  const { permissionsPolicy = {}, reportingEndpoints = {}, hidePoweredBy = true } = options
  checkRecord(permissionsPolicy, 'securityHeaders: permissionsPolicy', 'a record of lists')
  checkRecord(reportingEndpoints, 'securityHeaders: reportingEndpoints', 'a record of URLs')
  const permissions = Object.entries(permissionsPolicy).map(([feature, members]) => {
    const name = feature.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    checkHeader(Array.isArray(members), `permissionsPolicy: ${feature}`, 'a list', members)
    const list = members.map((member) => (/^(self|\*)$/.test(member) ? member : quotedUrl('permissionsPolicy', member)))
    return `${keyOf('permissionsPolicy', name)}=${list.includes('*') ? '*' : `(${list.join(' ')})`}`
  })
  const endpoints = Object.entries(reportingEndpoints).map(
    ([name, url]) => `${keyOf('reportingEndpoints', name)}=${quotedUrl('reportingEndpoints', `${url}`)}`,
  )
  const lists = { 'permissions-policy': permissions.join(', '), 'reporting-endpoints': endpoints.join(', ') }
  const words = Object.keys(WORDS).map((option) => wordOf(option, options as Words))
  const fields: FieldList = [...words, ...Object.entries(lists)].filter((field) => field[1]).flat()

  return passing(function securityHeaders(ctx, next) {
    if (hidePoweredBy) addEdit(ctx, withoutPoweredBy)
    addEdit(ctx, fields)
    return next()
  })
}

/** An edit that removes the field. Its property lets Bun skip it if the field is absent. */
const withoutPoweredBy = /* @__PURE__ */ Object.assign(
  (response: Response): void => removeField(response, 'x-powered-by'),
  { removes: 'x-powered-by' },
)

type Words = Readonly<Record<string, string | boolean | undefined>>

/** The header of an option and its value, which is empty for `false`. */
const wordOf = (option: string, options: Words): [string, string] => {
  const [field, fallback, allowed] = WORDS[option]!
  const { [option]: value = fallback } = options
  const isAllowed = value === false || allowed.test(`${value}`)
  checkHeader(isAllowed, option, `false or a string that matches ${allowed.source}`, value)
  return [field, value === true ? '?1' : `${value || ''}`]
}

const checkHeader = (isValid: boolean, option: string, expected: string, got: unknown): void =>
  checkOption(isValid, `securityHeaders: ${option}`, expected, got)

const keyOf = (option: string, name: string): string => {
  checkHeader(KEY.test(name), option, 'a name in lower case', name)
  return name
}

const quotedUrl = (option: string, url: string): string => {
  checkHeader(ADDRESS.test(url), option, 'a URL', url)
  return `"${url}"`
}
