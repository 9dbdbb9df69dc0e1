import { propertyOf, textOf } from '../property.ts'
import { DatabaseError, messageOf, toDatabaseError } from './database-error.ts'
import { kindOf } from './kind.ts'

/**
 * Why the connection failed. If a name has several addresses, Node's error has an empty message and
 * contains the reasons as nested errors.
 */
export const toReachError = (database: string, error: unknown): unknown => {
  const isAggregate = error instanceof AggregateError
  if (!isAggregate && kindOf(error) !== 'unreachable') return toDatabaseError(error)
  const reasons: readonly unknown[] = isAggregate ? error.errors : [error]
  const texts = new Set(reasons.map(reasonOf))
  const message = `${database} cannot be reached: ${[...texts].join('; ')}. Is it running, and is the URL right?`
  return new DatabaseError('unreachable', message, error)
}

const reasonOf = (error: unknown): string => {
  const [code, address, hostname] = [textOf(error, 'code'), textOf(error, 'address'), textOf(error, 'hostname')]
  if (code === 'ECONNREFUSED' && address)
    return `nothing listens on ${address.includes(':') ? `[${address}]` : address}:${propertyOf(error, 'port')}`
  if ((code === 'ENOTFOUND' || code === 'EAI_AGAIN') && hostname) return `the host name ${hostname} is not known`
  return messageOf(error)
}
