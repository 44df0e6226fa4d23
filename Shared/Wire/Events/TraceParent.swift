/// The header `traceparent` of W3C's Trace Context: 55 bytes, such as
/// `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`. It is copied into every event that a
/// request leads to, so a value of another form is dropped.
public enum TraceParent {
    private static let dashes: Set<Int> = [2, 35, 52]
    private static let byteCount = 55

    /// The text, if it has the form of version 00, or of a later version with the same fields
    /// (Trace Context, 3.2). That is lower-case hexadecimal, neither id all zeros, and no version
    /// ff.
    public static func valid(_ text: String?) -> String? {
        guard var text else { return nil }
        return text.withUTF8(isValid) ? text : nil
    }

    private static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == byteCount else { return false }
        for (index, byte) in bytes.enumerated() {
            if dashes.contains(index) {
                guard byte == UInt8(ascii: "-") else { return false }
            } else {
                guard byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 6 else {
                    return false
                }
            }
        }
        let zero = UInt8(ascii: "0")
        return !(bytes[0] == UInt8(ascii: "f") && bytes[1] == UInt8(ascii: "f"))
            && bytes[3..<35].contains { $0 != zero } && bytes[36..<52].contains { $0 != zero }
    }
}
