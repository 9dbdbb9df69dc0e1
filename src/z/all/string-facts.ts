import { StringSchema } from '../string.ts'
import { limitOf } from './number.ts'

/** A schema of strings that shows its bounds and formats. */
export class StringWithFacts extends StringSchema {
  /** The greatest of the lower bounds of the length. */
  get minLength(): number | null {
    return limitOf(this, 'min', Math.max)
  }

  /** The least of the upper bounds of the length. */
  get maxLength(): number | null {
    return limitOf(this, 'max', Math.min)
  }

  /** Whether it has the check `email`. */
  get isEmail(): boolean {
    return hasCheck(this, 'email')
  }

  /** Whether it has the check `url`. */
  get isURL(): boolean {
    return hasCheck(this, 'url')
  }

  /** Whether it has the check `uuid`. */
  get isUUID(): boolean {
    return hasCheck(this, 'uuid')
  }

  /** Whether it has the check `cuid`. */
  get isCUID(): boolean {
    return hasCheck(this, 'cuid')
  }

  /** Whether it has the check `cuid2`. */
  get isCUID2(): boolean {
    return hasCheck(this, 'cuid2')
  }

  /** Whether it has the check `ulid`. */
  get isULID(): boolean {
    return hasCheck(this, 'ulid')
  }

  /** Whether it has the check `nanoid`. */
  get isNANOID(): boolean {
    return hasCheck(this, 'nanoid')
  }

  /** Whether it has the check `ip`. */
  get isIP(): boolean {
    return hasCheck(this, 'ip')
  }

  /** Whether it has the check `cidr`. */
  get isCIDR(): boolean {
    return hasCheck(this, 'cidr')
  }

  /** Whether it has the check `base64`. */
  get isBase64(): boolean {
    return hasCheck(this, 'base64')
  }

  /** Whether it has the check `base64url`. */
  get isBase64url(): boolean {
    return hasCheck(this, 'base64url')
  }

  /** Whether it has the check `emoji`. */
  get isEmoji(): boolean {
    return hasCheck(this, 'emoji')
  }

  /** Whether it has the check `datetime`. */
  get isDatetime(): boolean {
    return hasCheck(this, 'datetime')
  }

  /** Whether it has the check `date`. */
  get isDate(): boolean {
    return hasCheck(this, 'date')
  }

  /** Whether it has the check `time`. */
  get isTime(): boolean {
    return hasCheck(this, 'time')
  }

  /** Whether it has the check `duration`. */
  get isDuration(): boolean {
    return hasCheck(this, 'duration')
  }
}

const hasCheck = ({ def }: StringSchema, wanted: string): boolean => def.checks.some(({ kind }) => kind === wanted)
