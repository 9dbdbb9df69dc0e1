export { findPackage, readPackageFile } from '../platform/package-file.ts'
