import CQRCode

/// A QR code (ISO/IEC 18004), made by libqrencode.
public struct QRCode: Hashable, Sendable {
    /// The most bytes of a text. Longer ones make a code that a telephone reads only from near by.
    static let mostBytes = 400

    /// Modules on each side, without the quiet zone of four modules around the code.
    public let side: Int
    private let dark: [Bool]

    /// The code of a text in UTF-8, at the level M: it can be read when 15 % of it is covered.
    ///
    /// - Returns: nil for an empty text, one that is too long, or when memory is short.
    public init?(_ text: String) {
        guard (1...Self.mostBytes).contains(text.utf8.count), !text.utf8.contains(0),
            let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        side = Int(code.pointee.width)
        let bytes = UnsafeBufferPointer(start: code.pointee.data, count: side * side)
        // The other bits of each byte say what the module is for.
        dark = bytes.map { $0 & 1 == 1 }
    }

    /// Whether the module is dark.
    ///
    /// - Parameters:
    ///   - row: from the top.
    ///   - column: from the left.
    public func isDark(row: Int, column: Int) -> Bool { dark[row * side + column] }
}
