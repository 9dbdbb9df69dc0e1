import { isToken } from '../header/field-name.ts'
import { checkOption } from './check.ts'

/** Refuse methods that are not in upper case: no request has them, so a rule for `post` would silently never apply. */
export const checkMethods = (methods: unknown, name: string): void => {
  const isValid = Array.isArray(methods) && methods.every((one) => isToken(one) && one === one.toUpperCase())
  checkOption(isValid, name, 'a list of methods, upper case', methods)
}
