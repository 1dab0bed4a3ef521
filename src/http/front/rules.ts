// The rules for heads that follow from the configuration.
import { isLoopback, writeAddress } from '../../config/addresses.ts'
import type { HttpSettings } from '../../config/http-settings.ts'
import type { FrontRules } from './head.ts'

/** The document about this resource lies under this path and that of the endpoint. */
export const metadataRoot = '/.well-known/oauth-protected-resource'

/** Hosts, origins and paths. `hasIssuer`: tokens of an issuer are taken, so there is something to say about it. */
export function frontRules(settings: HttpSettings, hasIssuer: boolean): FrontRules {
  const { listen, publicUrl, path, tls, metrics } = settings
  const url = new URL(publicUrl ?? `${tls ? 'https' : 'http'}://${writeAddress(listen)}${path}`)
  const local = isLoopback(listen.host) ? ['localhost', '127.0.0.1', '[::1]'] : []
  return {
    path,
    isSecure: tls !== undefined,
    hosts: new Set([...local, url.hostname, ...settings.allowedHosts.map((host) => host.toLowerCase())]),
    ownOrigin: url.origin,
    allowedOrigins: new Set(settings.allowedOrigins),
    hasMetrics: metrics === 'token',
    metadataPath: hasIssuer ? `${metadataRoot}${path}` : undefined,
  }
}
