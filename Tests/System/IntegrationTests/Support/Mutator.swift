import Foundation

/// A generator whose whole run is given by its seed (SplitMix64, Steele et al. 2014).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }
}

/// Damages bytes and JSON, at random but by the seed.
struct Mutator {
    var random: SeededRandom

    mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < share
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0..<elements.count)]
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// Some documents stay valid but for a value or a member; others are no longer JSON.
    mutating func damaged(_ document: JSONNode) -> [UInt8] {
        var document = document
        if chance(0.7) {
            for _ in 0..<number(1..<3) { document = damagedNode(document) }
        }
        var bytes = Array(document.text.utf8)
        if chance(0.4) { bytes = damaged(bytes) }
        return bytes
    }

    /// Flips, cuts, repeats and inserts.
    mutating func damaged(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        guard !bytes.isEmpty else { return self.bytes(number(0..<20)) }
        for _ in 0..<number(1..<4) {
            let start = number(0..<bytes.count)
            let end = min(bytes.count, start + number(1..<40))
            switch number(0..<8) {
            case 0: bytes[start] ^= 1 << UInt8(number(0..<8))
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 3: bytes.insert(contentsOf: self.bytes(number(1..<20)), at: start)
            case 4: bytes = Array(bytes.prefix(start))
            case 5: bytes.insert(contentsOf: pick(Self.badUTF8), at: start)
            case 6: bytes.insert(contentsOf: pick(Self.tokens).utf8, at: start)
            default: bytes = chance(0.05) ? self.bytes(number(0..<2_000)) : bytes + bytes
            }
            if bytes.isEmpty { break }
        }
        return bytes
    }

    /// Overlong, cut, lone surrogate, beyond Unicode, byte order mark.
    private static let badUTF8: [[UInt8]] = [
        [0xff], [0xc0, 0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80],
        [0xef, 0xbb, 0xbf], [0],
    ]
    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", "null", "\\u0000", "\\ud800", "1e999", "-",
        "/*", "NaN",
    ]

    /// One value or member somewhere in the tree is damaged.
    private mutating func damagedNode(_ node: JSONNode) -> JSONNode {
        switch node {
        case .object(var members) where !members.isEmpty && chance(0.85):
            let index = number(0..<members.count)
            switch number(0..<10) {
            case 0: members.remove(at: index)
            case 1: members.append(members[index])
            case 2: members[index].name = pick(Self.names)
            case 3: members.append((pick(Self.names), strange()))
            default: members[index].value = damagedNode(members[index].value)
            }
            return .object(members)
        case .array(var elements) where !elements.isEmpty && chance(0.85):
            let index = number(0..<elements.count)
            switch number(0..<10) {
            case 0: elements.remove(at: index)
            case 1: elements += Array(repeating: elements[index], count: number(1..<30))
            default: elements[index] = damagedNode(elements[index])
            }
            return .array(elements)
        default: return strange()
        }
    }

    private static let names = [
        "id", "site", "device", "at", "sentAt", "wifi", "ble", "place", "role", "rssi", "", "a.b",
        "__proto__", "\\u0000", "heardBy", "gnss", "magnetic", "expiresAt", "outline", "truth",
    ]
    private static let values = [
        "null", "true", "false", "0", "-0", "-1", "1e308", "1e999", "-1e999", "1e-400",
        "9223372036854775807", "9223372036854775808", "-9223372036854775809",
        "18446744073709551616", "0.1e1", "01", "1.", "\"\"", "\"\\u0000\"", "\"\\ud800\"",
        "\"\\ud83d\\ude00\"", "[]", "{}", "\"0001-01-01T00:00:00Z\"", "\"9999-12-31T23:59:60Z\"",
        "\"2026-02-30T25:61:61.123456789+99:99\"", "\"00000000-0000-0000-0000-000000000000\"",
        "\"ff:ff:ff:ff:ff:ff\"", "\"../../etc/passwd\"", "\"'; DROP TABLE sites; --\"",
    ]

    private mutating func strange() -> JSONNode {
        switch number(0..<20) {
        case 0:
            let depth = number(1..<3_000)
            return .raw(
                String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        case 1:
            let depth = number(1..<1_500)
            return .raw(
                String(repeating: "{\"a\":", count: depth) + "1"
                    + String(repeating: "}", count: depth))
        case 2:
            return .raw(
                "\"" + String(repeating: pick(["x", "é", "\\n"]), count: number(1..<9_000)) + "\"")
        case 3: return .raw(String(repeating: "9", count: number(1..<400)))
        case 4: return .raw("\"\(number(-1_000..<1_000))\"")
        case 5: return .raw("\(number(-200..<200))")
        default: return .raw(pick(Self.values))
        }
    }
}

/// JSON as a tree that keeps the order of members, and allows a name twice.
indirect enum JSONNode: Sendable {
    case object([(name: String, value: JSONNode)])
    case array([JSONNode])
    /// Any text, whether it is JSON or not.
    case raw(String)

    init(_ value: Any) {
        switch value {
        case let object as [String: Any]:
            self = .object(object.sorted { $0.key < $1.key }.map { ($0.key, JSONNode($0.value)) })
        case let array as [Any]: self = .array(array.map { JSONNode($0) })
        default:
            let data = try? JSONSerialization.data(
                withJSONObject: value, options: .fragmentsAllowed)
            self = .raw(String(decoding: data ?? Data(), as: UTF8.self))
        }
    }

    var text: String {
        switch self {
        case .object(let members):
            "{" + members.map { "\"\($0.name)\":\($0.value.text)" }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .raw(let text): text
        }
    }
}
