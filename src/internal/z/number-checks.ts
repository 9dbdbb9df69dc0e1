import { DEV } from '#mode'
import { bound, check } from './checks.ts'
import type { Check } from './definition.ts'
import type { Message } from './issue.ts'

export const limitCheck = (kind: 'min' | 'max', limit: number, message?: Message, inclusive = true): Check => {
  const isMin = kind === 'min'
  const holds = inclusive
    ? isMin
      ? (value: number) => value >= limit
      : (value: number) => value <= limit
    : isMin
      ? (value: number) => value > limit
      : (value: number) => value < limit
  const text = `Number must be ${isMin ? 'greater' : 'less'} than ${inclusive ? 'or equal to ' : ''}${limit}`
  return bound(kind, 'number', limit, holds, text, message, inclusive)
}

export const whole = (message?: Message): Check => {
  const issue = { code: 'invalid_type', expected: 'integer', received: 'float' }
  return check('int', Number.isInteger, issue, 'Expected integer, received float', message)
}

/** By the decimal digits of both numbers: 3e-7 is a multiple of 1e-7. No number is a multiple of 0. */
export const multipleOf = (step: number): ((value: number) => boolean) => {
  // Without this check, `BigInt` would throw another error
  if (DEV && !Number.isFinite(step)) throw new TypeError(`z: multipleOf: expected a finite number, got ${step}`)
  const [stepDigits, least] = decimal(step)
  const steps = BigInt(stepDigits)
  return (value) => {
    const [digits, power] = decimal(value)
    // A number with more decimal places than the step is not one of its multiples.
    return steps > 0n && (value === 0 || (power >= least && BigInt(digits + '0'.repeat(power - least)) % steps === 0n))
  }
}

/** The digits of a number, and the power of ten of the last digit; `undefined` for an infinite value. */
const decimal = (value: number): readonly [digits: string, power: number] => {
  const [digits, power] = Math.abs(value).toExponential().replace('.', '').split('e')
  return [digits!, Number(power) - digits!.length]
}
