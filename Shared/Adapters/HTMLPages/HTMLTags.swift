/// Counts tags and their attributes before libxml2 reads a page. The library compares each
/// attribute with all before it, and has no limits of its own. Half a megabyte of attributes would
/// take it 19 s (measured with 2.9.14), and 16 MB of tags 1 GB of memory.
///
/// Each `<` before a name counts as a tag, also in a text in quotes, a comment or a script. So
/// none of them can hide a tag. From there on, attributes are read as libxml2 reads them.
struct HTMLTags {
    /// libxml2 begins another name after so many bytes.
    private static let nameBytes = 100
    /// The bytes that are looked at, for each byte of a page. Tags within tags are read again.
    private static let looks = 8
    private static let fewBytes = 1 << 20

    private let bytes: [UInt8]
    private var place: Int

    private init(_ bytes: [UInt8], at place: Int) {
        self.bytes = bytes
        self.place = place
    }

    /// - Parameter bytes: in a character set in which `<` is the byte of ASCII.
    static func check(_ bytes: [UInt8]) throws(HTMLPageError) {
        var tags = 0
        var looked = 0
        for start in bytes.indices where bytes[start] == UInt8(ascii: "<") {
            // An end tag follows most tags.
            tags += 1
            guard tags <= 2 * HTMLLimits.mostElements else {
                throw .tooManyElements(limit: HTMLLimits.mostElements)
            }
            var tag = HTMLTags(bytes, at: start + 1)
            try tag.read()
            looked += tag.place - start
            guard looked <= looks * bytes.count + fewBytes else {
                throw .tooManyAttributes(limit: HTMLLimits.mostAttributes)
            }
        }
    }

    private mutating func read() throws(HTMLPageError) {
        guard Self.beginsName(byte) else { return }
        readName()
        var attributes = 0
        while true {
            skipBlanks()
            if byte == 0 || isEnd { return }
            guard Self.beginsName(byte) else {
                // No attribute: it is passed over up to the next white space.
                while byte != 0, !isBlank, !isEnd { place += 1 }
                continue
            }
            attributes += 1
            guard attributes <= HTMLLimits.mostAttributes else {
                throw .tooManyAttributes(limit: HTMLLimits.mostAttributes)
            }
            readName()
            readValue()
        }
    }

    private mutating func readName() {
        let end = place + Self.nameBytes
        while place < end, Self.isOfName(byte) { place += 1 }
    }

    private mutating func readValue() {
        skipBlanks()
        guard byte == UInt8(ascii: "=") else { return }
        place += 1
        skipBlanks()
        let quote = byte
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            while byte != 0, !isBlank, byte != UInt8(ascii: ">") { place += 1 }
            return
        }
        place += 1
        while byte != 0, byte != quote { place += 1 }
        if byte == quote { place += 1 }
    }

    private mutating func skipBlanks() {
        while isBlank { place += 1 }
    }

    /// 0 at the page's end. libxml2 ends a tag at a byte 0, too.
    private var byte: UInt8 { place < bytes.count ? bytes[place] : 0 }

    private var isBlank: Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Whether the tag ends here, with `>` or `/>`.
    private var isEnd: Bool {
        byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "/") && place + 1 < bytes.count
                && bytes[place + 1] == UInt8(ascii: ">")
    }

    private static func beginsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        beginsName(byte) || byte == UInt8(ascii: "-")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
