/// The 32-bit murmur2 hash with Kafka's seed, as the Java clients partition with
/// (org.apache.kafka.common.utils.Utils.murmur2; algorithm by Austin Appleby).
public func murmur2(_ data: some Collection<UInt8>) -> UInt32 {
    let multiplier: UInt32 = 0x5bd1_e995
    var hash: UInt32 = 0x9747_b28c ^ UInt32(truncatingIfNeeded: data.count)
    var word: UInt32 = 0
    var filled: UInt32 = 0
    for byte in data {
        word |= UInt32(byte) << (8 * filled)
        filled += 1
        guard filled == 4 else { continue }
        word = word &* multiplier
        word ^= word >> 24
        hash = (hash &* multiplier) ^ (word &* multiplier)
        word = 0
        filled = 0
    }
    if filled > 0 { hash = (hash ^ word) &* multiplier }
    hash ^= hash >> 13
    hash = hash &* multiplier
    return hash ^ (hash >> 15)
}

/// The partition that a key belongs to.
public func partition(forKey key: some Collection<UInt8>, of partitions: Int) -> Int {
    Int(murmur2(key) & 0x7fff_ffff) % partitions
}
