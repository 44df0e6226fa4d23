import CXML2

/// Finds a page's character set as browsers do: byte order mark, header, `<meta>`, then the bytes.
///
/// The usual sets are decoded here, with U+FFFD for damaged letters. libxml2 would end the page
/// there.
enum HTMLCharacters {
    /// - Returns: the content with the name of its character set.
    static func decoded(
        _ bytes: [UInt8], contentType: String?
    ) -> (content: [UInt8], charset: String) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return utf8(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), isLittle: true) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isLittle: false) }
        let head = String(decoding: bytes.prefix(1_024), as: UTF8.self).lowercased()
        let meta = head.firstRange(of: "<meta").flatMap { name(in: head[$0.upperBound...]) }
        switch contentType.flatMap({ name(in: $0.lowercased()[...]) }) ?? meta ?? "" {
        case "utf-16le": return utf16(bytes[...], isLittle: true)
        case "utf-16be": return utf16(bytes[...], isLittle: false)
        case "iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252": return western(bytes)
        // A page that says UTF-16 in letters of one byte is not UTF-16.
        case "", "utf-8", "utf8", "utf-16":
            return String(validating: bytes, as: UTF8.self) == nil && meta == nil
                && contentType?.lowercased().contains("charset") != true
                ? western(bytes) : utf8(bytes[...])
        case let other:
            guard families.contains(where: { other.hasPrefix($0) }),
                let handler = xmlFindCharEncodingHandler(other)
            else { return western(bytes) }
            xmlCharEncCloseFunc(handler)
            return (bytes, other)
        }
    }

    /// The other sets of browsers. In each of them `<` is the byte of ASCII, and nothing else is
    /// one: `HTMLTags` looks for that byte. In ISO-2022 it may be half a letter, as may quotes.
    private static let families = [
        "iso-8859-", "windows-", "cp125", "koi8-", "shift_jis", "shift-jis", "sjis", "euc-",
        "gb18030", "gb2312", "gbk", "big5", "mac", "ibm866", "cp866", "tis-620",
    ]

    private static func name(in text: Substring) -> String? {
        guard let start = text.firstRange(of: "charset=")?.upperBound else { return nil }
        let rest = text[start...].drop { $0 == "\"" || $0 == "'" || $0 == " " }
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:".contains($0)) }
        return name.isEmpty ? nil : String(name)
    }

    private static func utf8(_ bytes: ArraySlice<UInt8>) -> ([UInt8], String) {
        (Array(String(decoding: bytes, as: UTF8.self).utf8), "UTF-8")
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> ([UInt8], String) {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return (Array(String(decoding: units, as: UTF16.self).utf8), "UTF-8")
    }

    /// Windows-1252, as browsers read Latin-1.
    private static func western(_ bytes: [UInt8]) -> ([UInt8], String) {
        let high: [UInt16] = [
            0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160,
            0x2039, 0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013,
            0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
        ]
        let units = bytes.map { (0x80...0x9F).contains($0) ? high[Int($0) - 0x80] : UInt16($0) }
        return (Array(String(decoding: units, as: UTF16.self).utf8), "UTF-8")
    }
}
