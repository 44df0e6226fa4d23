/// The kinds of file that contents and floor plans may be. They are recognised by their bytes,
/// never by a sender's statement.
public enum MediaType: String, Hashable, Sendable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case webp = "image/webp"
    case svg = "image/svg+xml"
    case pdf = "application/pdf"
    case mp3 = "audio/mpeg"
    case ogg = "audio/ogg"
    case mp4 = "video/mp4"
    case webm = "video/webm"

    /// Nil for bytes of any other kind.
    ///
    /// The signatures are from the formats' specifications:
    /// - PNG: ISO/IEC 15948, 5.2.
    /// - JPEG: ITU-T T.81, B.1.1.3.
    /// - WebP: RFC 9649.
    /// - PDF: ISO 32000-1, 7.5.2.
    /// - MPEG audio: ISO/IEC 11172-3, a frame header or an ID3v2 tag before it.
    /// - Ogg: RFC 3533.
    /// - MP4: ISO/IEC 14496-12, `ftyp`.
    /// - WebM: EBML, RFC 8794.
    public init?(sniffing bytes: [UInt8]) {
        func has(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            bytes.count >= offset + signature.count
                && bytes[offset..<offset + signature.count].elementsEqual(signature)
        }
        func has(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }
        if has([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if has([0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("%PDF-") {
            self = .pdf
        } else if has("ID3") || Self.isAudioFrame(bytes) {
            self = .mp3
        } else if has("OggS") {
            self = .ogg
        } else if has("ftyp", at: 4) {
            self = .mp4
        } else if has([0x1a, 0x45, 0xdf, 0xa3]) {
            self = .webm
        } else if DrawingFile.looksLikeOne(bytes) {
            self = .svg
        } else {
            return nil
        }
    }

    /// Eleven set bits, then a version, layer III, a valid bit rate and a valid sampling rate.
    private static func isAudioFrame(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4, bytes[0] == 0xff, bytes[1] & 0xe6 == 0xe2 else { return false }
        return bytes[2] >> 4 != 0xf && bytes[2] >> 4 != 0 && bytes[2] >> 2 & 3 != 3
    }

    /// The most bytes for a file of this type. Pictures are viewed on telephones, and this is no
    /// archive for films.
    public var maximumBytes: Int {
        switch self {
        case .png, .jpeg, .webp, .pdf: 20_000_000
        case .svg: 2_000_000
        case .mp3, .ogg: 30_000_000
        case .mp4, .webm: 50_000_000
        }
    }
}
