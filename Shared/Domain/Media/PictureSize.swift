/// The width and height of a picture, from its header.
public struct PictureSize: Hashable, Sendable {
    public var widthPixels: Int
    public var heightPixels: Int

    public init(widthPixels: Int, heightPixels: Int) {
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
    }

    /// Nil for a file that is no picture, that ends before its size, or whose size is zero or over
    /// `largestSide`.
    public init?(of type: MediaType, _ bytes: [UInt8]) {
        let size: (Int, Int)?
        switch type {
        case .png: size = Self.png(bytes)
        case .jpeg: size = Self.jpeg(bytes)
        case .webp: size = Self.webp(bytes)
        case .svg: size = Self.svg(bytes)
        case .pdf, .mp3, .ogg, .mp4, .webm: size = nil
        }
        guard let size, (1...Self.largestSide).contains(size.0),
            (1...Self.largestSide).contains(size.1)
        else { return nil }
        self.init(widthPixels: size.0, heightPixels: size.1)
    }

    /// Pixels. A plan of 2 m scanned at 300 dots an inch has 24,000.
    public static let largestSide = 50_000

    /// IHDR is the first chunk (ISO/IEC 15948, 11.2.2).
    private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        return (bytes.bigEndian(at: 16, count: 4), bytes.bigEndian(at: 20, count: 4))
    }

    /// Reads the first frame header: SOF0 to SOF15 except DHT, JPG and DAC (ITU-T T.81, B.2.2).
    private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
        var offset = 2
        while offset + 9 < bytes.count {
            guard bytes[offset] == 0xff else { return nil }
            let marker = bytes[offset + 1]
            if marker == 0xff {
                offset += 1
                continue
            }
            if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
                return (
                    bytes.bigEndian(at: offset + 7, count: 2),
                    bytes.bigEndian(at: offset + 5, count: 2)
                )
            }
            // Markers without a segment have no length (ITU-T T.81, B.1.1.3).
            let isAlone = marker == 0x01 || (0xd0...0xd8).contains(marker)
            offset += isAlone ? 2 : 2 + bytes.bigEndian(at: offset + 2, count: 2)
        }
        return nil
    }

    /// Reads the first chunk, which is lossy, lossless or extended (RFC 9649, 2.5 to 2.7).
    private static func webp(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 30 else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8 ":
            return (
                bytes.littleEndian(at: 26, count: 2) & 0x3fff,
                bytes.littleEndian(at: 28, count: 2) & 0x3fff
            )
        case "VP8L":
            let bits = bytes.littleEndian(at: 21, count: 4)
            return (1 + bits & 0x3fff, 1 + bits >> 14 & 0x3fff)
        case "VP8X":
            return (
                1 + bytes.littleEndian(at: 24, count: 3), 1 + bytes.littleEndian(at: 27, count: 3)
            )
        default: return nil
        }
    }

    /// Width and height in user units; the view box's if the drawing states neither.
    private static func svg(_ bytes: [UInt8]) -> (Int, Int)? {
        let text = String(decoding: bytes.prefix(16_384), as: UTF8.self)
        guard let start = text.firstRange(of: "<svg"),
            let end = text[start.upperBound...].firstIndex(of: ">")
        else { return nil }
        let tag = text[start.upperBound..<end]
        if let width = tag.firstMatch(of: /\swidth\s*=\s*["']\s*([0-9.]+)(?:px)?\s*["']/),
            let height = tag.firstMatch(of: /\sheight\s*=\s*["']\s*([0-9.]+)(?:px)?\s*["']/)
        {
            return pixels(width.1, height.1)
        }
        let number =
            /\sviewBox\s*=\s*["']\s*[-0-9.e]+[\s,]+[-0-9.e]+[\s,]+([0-9.e]+)[\s,]+([0-9.e]+)/
        return tag.firstMatch(of: number).flatMap { pixels($0.1, $0.2) }
    }

    private static func pixels(_ width: Substring, _ height: Substring) -> (Int, Int)? {
        guard let width = Double(width), let height = Double(height),
            width <= Double(largestSide), height <= Double(largestSide)
        else { return nil }
        return (Int(width.rounded(.up)), Int(height.rounded(.up)))
    }
}

extension [UInt8] {
    fileprivate func bigEndian(at offset: Int, count: Int) -> Int {
        self[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    fileprivate func littleEndian(at offset: Int, count: Int) -> Int {
        self[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
