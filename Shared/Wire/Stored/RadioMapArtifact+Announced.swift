import Cryptography
public import Events
public import Positioning

extension RadioMapArtifact {
    /// The announced map, checked against its hash.
    public static func decode(
        _ bytes: [UInt8], of announcement: RadioMapAnnounced
    ) throws(RadioMapFault) -> RadioMap {
        guard sha256Hex(bytes) == announcement.hash else { throw .otherBytes }
        let map: RadioMap
        do throws(BinaryFault) { map = try decode(bytes) } catch { throw .unreadable(error) }
        if let fault = map.fault { throw .malformed(fault) }
        return map
    }
}

/// Why a radio map can't be used.
public enum RadioMapFault: Error, CustomStringConvertible {
    case otherBytes
    case unreadable(BinaryFault)
    case malformed(String)

    public var description: String {
        switch self {
        case .otherBytes: "the bytes do not have the announced hash"
        case .unreadable(let fault): "the map can't be read: \(fault)"
        case .malformed(let fault): "the map is malformed: \(fault)"
        }
    }
}
