internal import CJose

/// The reason why a signed text can't be trusted.
public enum WebSignatureFault: Error, Hashable, Sendable {
    /// The text is not a compact JWS, or its header is incomplete.
    case malformed
    case algorithmRefused(String)
    /// No key has the id that the text names, or the key is of another kind.
    case keyUnknown
    /// The key is right, but the signature is wrong.
    case signatureWrong
}

/// A compact JSON Web Signature (RFC 7515), read and checked by libcjose.
public struct JSONWebSignature: Sendable {
    /// The allowed algorithms: signatures by a provider's public key. `none` and shared secrets are
    /// excluded, because everybody who can check such a signature could also make it.
    static let algorithms: Set<String> = ["RS256", "PS256", "ES256"]
    public static let maximumBytes = 65_536

    public let algorithm: String
    /// The id of the signer's key, if the text states it.
    public let keyID: String?
    private let text: String

    /// Parses the header. Nothing is trusted yet.
    public init(_ compact: String) throws(WebSignatureFault) {
        guard compact.utf8.count <= Self.maximumBytes,
            let handle = JWSHandle(compact)
        else { throw .malformed }
        guard let algorithm = handle.header("alg") else { throw .malformed }
        guard Self.algorithms.contains(algorithm) else { throw .algorithmRefused(algorithm) }
        self.algorithm = algorithm
        keyID = handle.header("kid")
        text = compact
    }

    /// The signed content, if the signature is valid under one of the keys.
    ///
    /// - Parameter keys: JSON Web Keys (RFC 7517) with their ids. If the text names a key, only
    ///   that one is tried.
    public func payload(
        keys: [(id: String?, json: [UInt8])]
    ) throws(WebSignatureFault) -> [UInt8] {
        guard let handle = JWSHandle(text) else { throw .malformed }
        let candidates = keys.filter { keyID == nil || $0.id == nil || $0.id == keyID }
        var fault = WebSignatureFault.keyUnknown
        for candidate in candidates {
            guard let key = JWKHandle(candidate.json), key.fits(algorithm) else { continue }
            if let payload = handle.payload(verifiedBy: key) { return payload }
            fault = .signatureWrong
        }
        throw fault
    }
}

/// Owns a parsed JWS.
private final class JWSHandle {
    private let pointer: OpaquePointer

    init?(_ compact: String) {
        var compact = compact
        guard
            let pointer = compact.withUTF8({ bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    cjose_jws_import($0.baseAddress, $0.count, nil)
                }
            })
        else { return nil }
        self.pointer = pointer
    }

    deinit { cjose_jws_release(pointer) }

    func header(_ name: String) -> String? {
        // The JWS owns the header.
        guard let header = cjose_jws_get_protected(pointer),
            let text = cjose_header_get(header, name, nil)
        else { return nil }
        return String(cString: text)
    }

    func payload(verifiedBy key: JWKHandle) -> [UInt8]? {
        guard cjose_jws_verify(pointer, key.pointer, nil) else { return nil }
        var start: UnsafeMutablePointer<UInt8>?
        var count = 0
        // The JWS owns the bytes too.
        guard cjose_jws_get_plaintext(pointer, &start, &count, nil), let start else { return nil }
        return Array(UnsafeBufferPointer(start: start, count: count))
    }
}

/// Owns a parsed JWK.
private final class JWKHandle {
    let pointer: OpaquePointer

    init?(_ json: [UInt8]) {
        guard
            let pointer = json.withUnsafeBytes({ bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    cjose_jwk_import($0.baseAddress, $0.count, nil)
                }
            })
        else { return nil }
        self.pointer = pointer
    }

    deinit { cjose_jwk_release(pointer) }

    /// Whether a key of this kind can make such signatures. An RSA key must not be used as a shared
    /// secret.
    func fits(_ algorithm: String) -> Bool {
        let kind = cjose_jwk_get_kty(pointer, nil)
        return algorithm == "ES256" ? kind == CJOSE_JWK_KTY_EC : kind == CJOSE_JWK_KTY_RSA
    }
}
