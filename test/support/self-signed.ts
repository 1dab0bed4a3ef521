import { generateKeyPairSync, sign } from 'node:crypto'

/** A fresh key and a certificate of this host for it that nobody else signed, both PEM; valid from 2020 to 2049. */
export function selfSigned(host = '127.0.0.1'): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(host)))))
  const validity = sequence(utcTime('200101000000Z'), utcTime('491231235959Z'))
  const serial = der(0x02, Buffer.from([1]))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const toSign = sequence(serial, ecdsaWithSha256, name, validity, name, spki)
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toSign, privateKey))
  const cert = sequence(toSign, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

/** One element of DER: its tag, its length, and its content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content)
  const length = bytes.length < 0x80 ? [bytes.length] : [0x82, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), bytes])
}

const sequence = (...content: Buffer[]) => der(0x30, ...content)
const utcTime = (text: string) => der(0x17, Buffer.from(text))
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const commonName = identifier('550403')
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
