import { StringSchema } from '../string.ts'
import { limitOf } from './number.ts'

/** A schema of strings that shows its bounds, and whether it has the check of a name: `isEmail`, `isURL` … */
export class StringWithFacts extends StringSchema {
  /** The greatest of the lower bounds of the length. */
  get minLength(): number | null {
    return limitOf(this, 'min')
  }

  /** The least of the upper bounds of the length. */
  get maxLength(): number | null {
    return limitOf(this, 'max')
  }

  get isEmail(): boolean {
    return hasCheck(this, 'email')
  }
  get isURL(): boolean {
    return hasCheck(this, 'url')
  }
  get isUUID(): boolean {
    return hasCheck(this, 'uuid')
  }
  get isCUID(): boolean {
    return hasCheck(this, 'cuid')
  }
  get isCUID2(): boolean {
    return hasCheck(this, 'cuid2')
  }
  get isULID(): boolean {
    return hasCheck(this, 'ulid')
  }
  get isNANOID(): boolean {
    return hasCheck(this, 'nanoid')
  }
  get isIP(): boolean {
    return hasCheck(this, 'ip')
  }
  get isCIDR(): boolean {
    return hasCheck(this, 'cidr')
  }
  get isBase64(): boolean {
    return hasCheck(this, 'base64')
  }
  get isBase64url(): boolean {
    return hasCheck(this, 'base64url')
  }
  get isEmoji(): boolean {
    return hasCheck(this, 'emoji')
  }
  get isDatetime(): boolean {
    return hasCheck(this, 'datetime')
  }
  get isDate(): boolean {
    return hasCheck(this, 'date')
  }
  get isTime(): boolean {
    return hasCheck(this, 'time')
  }
  get isDuration(): boolean {
    return hasCheck(this, 'duration')
  }
}

const hasCheck = ({ def }: StringSchema, name: string): boolean => def.checks.some(({ kind }) => kind === name)
