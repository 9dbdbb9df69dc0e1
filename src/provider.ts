export { bindConfig, ConfigServiceProvider } from './provider/config.ts'
export { bindMiddleware, type MiddlewareRegistry, MiddlewareServiceProvider } from './provider/middleware.ts'
export { bindRouter, RouteServiceProvider } from './provider/route.ts'
export { type Provider, type ProviderApp, type ProviderClass, ServiceProvider } from './provider/service-provider.ts'
