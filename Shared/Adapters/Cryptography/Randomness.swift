internal import CSodium

/// Unpredictable bytes from the system's generator.
public func randomBytes(_ count: Int) -> [UInt8] {
    precondition(count >= 0)
    prepareSodium()
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
}

/// 64 unpredictable bits.
public func randomWord() -> UInt64 {
    prepareSodium()
    var word: UInt64 = 0
    randombytes_buf(&word, MemoryLayout<UInt64>.size)
    return word
}

/// Initializes libsodium, which it requires before any random number. Further calls cost almost
/// nothing.
func prepareSodium() {
    precondition(sodium_init() >= 0, "libsodium can't reach a source of randomness")
}
