export {
  ConfigServiceProvider,
  type MiddlewareRegistry,
  MiddlewareServiceProvider,
  RouteServiceProvider,
} from './provider/built-in.ts'
export { type Provider, type ProviderApp, type ProviderClass, ServiceProvider } from './provider/service-provider.ts'
