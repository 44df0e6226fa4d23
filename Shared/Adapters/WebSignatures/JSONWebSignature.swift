internal import CJose

/// Why a signed text can't be trusted.
public enum WebSignatureFault: Error, Hashable, Sendable {
    /// It is no compact JWS, or its header lacks something.
    case malformed
    /// Its algorithm is none of those that we take.
    case algorithmRefused(String)
    /// None of the keys is the one that it names, or it is of another kind.
    case keyUnknown
    /// The key is the right one, and the signature is not.
    case signatureWrong
}

/// A compact JSON Web Signature (RFC 7515), read and checked by libcjose.
public struct JSONWebSignature: Sendable {
    /// Signatures by a provider's public key. `none` and shared secrets are no choice here: who
    /// could check such a signature could also make it.
    static let algorithms: Set<String> = ["RS256", "PS256", "ES256"]
    /// Longest text that is looked at.
    public static let maximumBytes = 65_536

    public let algorithm: String
    /// Which of its keys the signer used, if it says so.
    public let keyID: String?
    private let text: String

    /// Reads the header; nothing is trusted yet.
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

    /// What was signed, once the signature holds under one of the keys.
    ///
    /// - Parameter keys: JSON Web Keys (RFC 7517) with their ids. Where the text names a key only
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
        // The header belongs to the JWS.
        guard let header = cjose_jws_get_protected(pointer),
            let text = cjose_header_get(header, name, nil)
        else { return nil }
        return String(cString: text)
    }

    func payload(verifiedBy key: JWKHandle) -> [UInt8]? {
        guard cjose_jws_verify(pointer, key.pointer, nil) else { return nil }
        var start: UnsafeMutablePointer<UInt8>?
        var count = 0
        // The bytes belong to the JWS, too.
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

    /// Whether a key of this kind makes such signatures: an RSA key must not pass for a shared
    /// secret.
    func fits(_ algorithm: String) -> Bool {
        let kind = cjose_jwk_get_kty(pointer, nil)
        return algorithm == "ES256" ? kind == CJOSE_JWK_KTY_EC : kind == CJOSE_JWK_KTY_RSA
    }
}
