/// The address of a broker: `mqtt://host[:1883]`, or with TLS `mqtts://host[:8883]`.
public struct MQTTAddress: Hashable, Sendable, CustomStringConvertible {
    private static let plainPort: UInt16 = 1_883
    private static let encryptedPort: UInt16 = 8_883

    public var host: String
    public var port: UInt16
    public var usesTLS: Bool

    public init(host: String, port: UInt16, usesTLS: Bool) {
        self.host = host
        self.port = port
        self.usesTLS = usesTLS
    }

    /// Nil where the text is no such address. Users, paths and queries have no place in it.
    public init?(_ text: String) {
        let usesTLS = text.lowercased().hasPrefix("mqtts://")
        guard usesTLS || text.lowercased().hasPrefix("mqtt://") else { return nil }
        var rest = text.dropFirst(usesTLS ? 8 : 7)
        if rest.last == "/" { rest = rest.dropLast() }
        var port = usesTLS ? Self.encryptedPort : Self.plainPort
        var host = rest
        // An IPv6 address stands in brackets.
        let end = rest.lastIndex(of: "]") ?? rest.startIndex
        if let colon = rest[end...].lastIndex(of: ":") {
            guard let given = UInt16(rest[rest.index(after: colon)...]), given > 0 else {
                return nil
            }
            port = given
            host = rest[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains(where: { "/?#@[] ".contains($0) }) else { return nil }
        self.init(host: String(host), port: port, usesTLS: usesTLS)
    }

    public var description: String {
        let shown = host.contains(":") ? "[\(host)]" : host
        return "\(usesTLS ? "mqtts" : "mqtt")://\(shown):\(port)"
    }
}
