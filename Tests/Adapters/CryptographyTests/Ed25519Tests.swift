import Cryptography
import Testing

@Suite struct Ed25519Tests {
    @Test("A signature is valid only for its own bytes and its own key")
    func signing() {
        let pair = Ed25519.KeyPair()
        let bytes = Array("whereabouts".utf8)
        let signature = pair.signature(of: bytes)
        #expect(Ed25519.verifies(signature, of: bytes, publicKey: pair.publicKey))
        #expect(!Ed25519.verifies(signature, of: bytes + [0], publicKey: pair.publicKey))
        #expect(!Ed25519.verifies(signature, of: bytes, publicKey: Ed25519.KeyPair().publicKey))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!Ed25519.verifies(changed, of: bytes, publicKey: pair.publicKey))
        }
        #expect(!Ed25519.verifies([], of: bytes, publicKey: pair.publicKey))
        #expect(!Ed25519.verifies(signature, of: bytes, publicKey: []))
    }

    @Test("The first test vector of RFC 8032 gives its signature")
    func vector() throws {
        let publicKey = try #require(
            bytes(
                fromHexadecimal:
                    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
        let seed = try #require(
            bytes(
                fromHexadecimal:
                    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
        let pair = try #require(Ed25519.KeyPair(secretKey: seed + publicKey))
        #expect(pair.publicKey == publicKey)
        #expect(hexadecimal(pair.signature(of: [])).hasPrefix("e5564300c360ac729086e2cc806e828a"))
    }

    @Test("Base64url and hex are decoded, and other text is refused")
    func encodings() {
        for count in 0..<70 {
            let some = randomBytes(count)
            #expect(bytes(fromBase64URL: base64URL(some).utf8) == some)
            #expect(bytes(fromHexadecimal: hexadecimal(some)) == some)
        }
        for wrong in ["A", "AB", "A+==", "AAAAA", "ÄÄ", "AA A"] {
            #expect(bytes(fromBase64URL: wrong.utf8) == nil)
        }
        for wrong in ["a", "0g", "0x", " 0"] { #expect(bytes(fromHexadecimal: wrong) == nil) }
    }
}
