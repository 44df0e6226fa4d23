internal import CSodium

/// Bytes that nobody can predict, from the system's generator.
public func randomBytes(_ count: Int) -> [UInt8] {
    precondition(count >= 0)
    prepareSodium()
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
}

/// 64 bits that nobody can predict.
public func randomWord() -> UInt64 {
    prepareSodium()
    var word: UInt64 = 0
    randombytes_buf(&word, MemoryLayout<UInt64>.size)
    return word
}

/// libsodium asks for this once before anything random; calling it again costs next to nothing.
func prepareSodium() {
    precondition(sodium_init() >= 0, "libsodium can't reach a source of randomness")
}
