import Events
import Testing

@testable import Scanning

/// Builds messages as the kernel does.
enum BuiltMessage {
    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        let count = value.count + 4
        let head = [UInt8(count & 255), UInt8(count >> 8), UInt8(type & 255), UInt8(type >> 8)]
        return head + value + [UInt8](repeating: 0, count: (4 - count % 4) % 4)
    }

    static func word(_ value: Int32) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    static func network(
        address: [UInt8] = [2, 0x11, 0x22, 0, 0, 9], name: [UInt8], millibels: Int32 = -6_350,
        frequency: Int32 = 2_412, age: Int32 = 120
    ) -> [UInt8] {
        let elements = [1, 2, 0x82, 0x84] + [0, UInt8(name.count)] + name
        let members =
            attribute(1, address) + attribute(2, word(frequency)) + attribute(6, elements)
            + attribute(7, word(millibels)) + attribute(10, word(age))
        // The index of the interface, then the network, marked as nested.
        return attribute(3, word(4)) + attribute(47 | 0x8000, members)
    }
}

@Suite struct NetlinkAttributesTests {
    @Test("A message gives address, name, strength, frequency and age")
    func message() throws {
        let bytes = BuiltMessage.network(name: Array("guest".utf8))
        let network = try #require(NetlinkAttributes.network(in: bytes))
        #expect(network.bssid == HardwareAddress(value: 0x0211_2200_0009))
        #expect(network.text == "guest")
        // -63.5 dBm: halves go away from zero.
        #expect(network.rssi == -64)
        #expect(network.frequency == 2_412)
        #expect(network.ageMilliseconds == 120)
    }

    @Test("A message cut at any byte is read without a crash, and never with a wrong address")
    func cut() {
        let bytes = BuiltMessage.network(name: Array("guest".utf8))
        for count in 0..<bytes.count {
            let network = NetlinkAttributes.network(in: Array(bytes[..<count]))
            #expect(network == nil || network?.bssid == HardwareAddress(value: 0x0211_2200_0009))
        }
    }

    @Test(
        "Names may be hidden, or any bytes",
        arguments: [[], [0, 0], [0xFF, 0x0A]] as [[UInt8]])
    func names(name: [UInt8]) throws {
        let network = try #require(
            NetlinkAttributes.network(in: BuiltMessage.network(name: name)))
        #expect(network.name == name)
        #expect(network.text == (name.first == 0xFF ? "\u{FFFD}\u{FFFD}" : nil))
    }
}
