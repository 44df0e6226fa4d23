internal import Events
internal import JSON
import Site

/// `{"allow": [{"ssid": "eduroam"}, {"prefix": "00:62:ec"}], "deny": [{"address":
/// "00:62:ec:fd:ec:50"}]}`
extension AccessPointRules {
    /// The most rules of a kind.
    static let most = 1_000

    init(reading value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            allow: try fields.elements("allow", rule), deny: try fields.elements("deny", rule))
        guard allow.count <= Self.most, deny.count <= Self.most else {
            throw value.fault(.fieldOutOfRange, "send at most \(Self.most) rules of a kind")
        }
    }

    func writeMembers(to writer: inout JSONWriter) {
        for (name, rules) in [("allow", allow), ("deny", deny)] where !rules.isEmpty {
            writer.name(name)
            writer.beginArray()
            for rule in rules { rule.write(to: &writer) }
            writer.endArray()
        }
    }
}

extension AccessPointRules.Rule {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .network(let name): writer.field("ssid", name)
        case .prefix(let bytes, let count):
            let address = HardwareAddress(value: bytes << UInt64(48 - 8 * count))
            writer.field("prefix", String(address.text.prefix(3 * count - 1)))
        case .address(let address): writer.field("address", address.text)
        }
        writer.endObject()
    }
}

private func rule(_ value: WireValue) throws(WireFault) -> AccessPointRules.Rule {
    let fields = try FieldReader(value)
    switch (fields.optional("ssid"), fields.optional("prefix"), fields.optional("address")) {
    case (let name?, nil, nil): return .network(try name.text(maximumBytes: 32))
    case (nil, let prefix?, nil):
        let text = try prefix.text(maximumBytes: 14)
        let count = (text.utf8.count + 1) / 3
        let rest = String(
            repeating: "\(text.dropFirst(2).first ?? ":")00", count: max(0, 6 - count))
        guard (1...5).contains(count), text.utf8.count == 3 * count - 1,
            let address = HardwareAddress(text + rest)
        else { throw prefix.fault(.fieldOutOfRange, "one to five bytes in hex, such as 00:62:ec") }
        return .prefix(address.value >> UInt64(48 - 8 * count), count: count)
    case (nil, nil, let address?): return .address(try address.address(.bssidMalformed))
    default:
        throw value.fault(.fieldOutOfRange, "a rule has one of ssid, prefix and address")
    }
}
