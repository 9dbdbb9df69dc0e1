import { checkOption } from '../options/check.ts'

type Fields<Value> = Readonly<Record<string, Value | undefined>> | null

/** A request as API Gateway, an Application Load Balancer or a function URL passes it to a function. */
export interface LambdaEvent {
  readonly version?: string
  readonly httpMethod?: string
  readonly path?: string
  readonly rawPath?: string
  readonly rawQueryString?: string
  readonly cookies?: readonly string[] | null
  readonly headers?: Fields<string>
  readonly multiValueHeaders?: Fields<readonly string[]>
  readonly queryStringParameters?: Fields<string>
  readonly multiValueQueryStringParameters?: Fields<readonly string[]>
  readonly requestContext?: {
    readonly stage?: string
    readonly domainName?: string
    readonly elb?: object
    readonly http?: { readonly method?: string; readonly sourceIp?: string }
    readonly identity?: { readonly sourceIp?: string | null }
  } | null
  readonly body?: string | null
  readonly isBase64Encoded?: boolean
}

/**
 * The sender: API Gateway with format 1.0, or with format 2.0, which function URLs use too, or a load balancer, with
 * one value per header or with lists.
 */
export type LambdaShape = 'v1' | 'v2' | 'alb' | 'alb-lists'

/**
 * Detect the format by members that only it has.
 *
 * @throws {TypeError} for the event of another service. The message has the names of the fields, and no values.
 */
export const shapeOf = (event: LambdaEvent, feature: string): LambdaShape => {
  const { requestContext, httpMethod, multiValueHeaders } = Object(event) as LambdaEvent
  if (requestContext?.elb) return multiValueHeaders ? 'alb-lists' : 'alb'
  if (requestContext?.http) return 'v2'
  checkOption(
    typeof httpMethod === 'string',
    `${feature}: event`,
    'a request of API Gateway, a load balancer or a function URL',
    Object.keys(Object(event)),
  )
  return 'v1'
}
