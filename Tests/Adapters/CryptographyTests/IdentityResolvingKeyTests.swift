import Cryptography
import Testing

@Suite("An identity resolving key") struct IdentityResolvingKeyTests {
    /// The key and the random part of the Core Specification's sample of the function ah (volume 3,
    /// part H, appendix D.7).
    private static let sample = IdentityResolvingKey([
        0xec, 0x02, 0x34, 0xa3, 0x57, 0xc8, 0xad, 0x05, 0x34, 0x10, 0x10, 0xa6, 0x0a, 0x39, 0x7d,
        0x9b,
    ])!
    private static let other = IdentityResolvingKey([UInt8](repeating: 7, count: 16))!

    @Test("resolves the specification's sample address, and no other")
    func sampleAddress() {
        let address: UInt64 = 0x7081_940d_fbaa
        #expect(IdentityResolvingKey.isResolvable(address))
        let keys = [Self.other, Self.sample]
        #expect(IdentityResolvingKey.resolve(address, by: keys) == 1)
        #expect(IdentityResolvingKey.resolve(address, by: [Self.other]) == nil)
        #expect(IdentityResolvingKey.resolve(address ^ 1, by: keys) == nil)
        #expect(IdentityResolvingKey.resolve(address, by: []) == nil)
    }

    @Test(
        "is not asked for addresses of other kinds",
        arguments: [0x0081_940d_fbaa, 0xc081_940d_fbaa])
    func otherKinds(address: UInt64) {
        #expect(!IdentityResolvingKey.isResolvable(address))
        #expect(IdentityResolvingKey.resolve(address, by: [Self.sample]) == nil)
    }

    @Test("has 16 bytes", arguments: [0, 15, 17])
    func length(count: Int) {
        #expect(IdentityResolvingKey([UInt8](repeating: 0, count: count)) == nil)
    }
}

@Suite("A sealed box") struct SealedBoxTests {
    private let key = [UInt8](repeating: 3, count: SealedBox.keyBytes)

    @Test("opens with its own key only, and whole only")
    func opens() {
        let secret = Array("a secret".utf8)
        let box = SealedBox.seal(secret, key: key)
        #expect(SealedBox.open(box, key: key) == secret)
        #expect(box != SealedBox.seal(secret, key: key))
        #expect(SealedBox.open(box, key: [UInt8](repeating: 4, count: 32)) == nil)
        #expect(SealedBox.open(Array(box.dropLast()), key: key) == nil)
        #expect(SealedBox.open([], key: key) == nil)
        var changed = box
        changed[30] ^= 1
        #expect(SealedBox.open(changed, key: key) == nil)
    }
}
