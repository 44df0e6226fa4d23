import Cryptography
import Foundation
import ServiceRuntime

/// The file of an Ed25519 key, as openssl reads and writes it (PEM).
struct SigningKeyFile {
    /// The most bytes that a key's file may have.
    private static let limit = 10_000

    private let path: String

    init(_ path: String) { self.path = path }

    /// The key in the file.
    func pair() throws -> Ed25519.KeyPair {
        guard let pair = Ed25519.KeyPair(pem: try text()) else {
            throw CommandFault("\(path) holds no secret Ed25519 key (PEM)")
        }
        return pair
    }

    /// The public half of the key in the file. Makes a key where there is no file, with a file that
    /// only its owner may read.
    func publicKey() throws -> [UInt8] {
        guard !FileManager.default.fileExists(atPath: path) else {
            guard let key = Ed25519.publicKey(pem: try text()) else {
                throw CommandFault("\(path) holds no Ed25519 key (PEM)")
            }
            return key
        }
        let pair = Ed25519.KeyPair()
        let isMade = FileManager.default.createFile(
            atPath: path, contents: Data(pair.pem.utf8), attributes: [.posixPermissions: 0o600])
        guard isMade else { throw CommandFault("\(path) can't be written") }
        return pair.publicKey
    }

    private func text() throws -> String {
        let bytes = try readFile(path)
        guard bytes.count <= Self.limit else {
            throw CommandFault("\(path) is too large for a key")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
