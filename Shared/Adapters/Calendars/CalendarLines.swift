/// The lines of a feed, unfolded, in UTF-8.
///
/// The character set is that of the byte order mark. Without one, a line is UTF-8 if it can be
/// read so, and Latin-1 otherwise.
struct CalendarLines {
    struct Line {
        var bytes: [UInt8] = []
        /// Counted from 1.
        var number = 0
        var isTooLong = false
        /// Whether it was no UTF-8.
        var isLatin = false
    }

    private let bytes: [UInt8]
    private let mostLineBytes: Int
    private var place: Int
    private var number = 0

    init(_ bytes: [UInt8], mostLineBytes: Int) {
        self.mostLineBytes = mostLineBytes
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let isLittle = bytes[0] == 0xFF
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
                UInt16(bytes[index + (isLittle ? 1 : 0)]) << 8
                    | UInt16(bytes[index + (isLittle ? 0 : 1)])
            }
            self.bytes = Array(String(decoding: units, as: UTF16.self).utf8)
            place = 0
        } else {
            self.bytes = bytes
            place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        }
    }

    /// The next line that is not blank.
    mutating func next() -> Line? {
        while place < bytes.count {
            var line = Line()
            line.number = number + 1
            readPiece(&line)
            // A line that begins with a space goes on with the line before.
            while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 {
                place += 1
                readPiece(&line)
            }
            guard line.bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
            if String(validating: line.bytes, as: UTF8.self) == nil {
                line.isLatin = true
                line.bytes = line.bytes.flatMap { byte -> [UInt8] in
                    byte < 0x80 ? [byte] : [0xC0 | byte >> 6, 0x80 | byte & 0x3F]
                }
            }
            return line
        }
        return nil
    }

    /// Whether the last line has come, and has no end.
    var isCutOff: Bool {
        place >= bytes.count && bytes.last.map { $0 != 0x0A && $0 != 0x0D } ?? false
    }

    private mutating func readPiece(_ line: inout Line) {
        number += 1
        let start = place
        bytes.withUnsafeBufferPointer { bytes in
            while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D { place += 1 }
        }
        let end = place
        // A line ends with CR LF, LF or CR.
        if place < bytes.count, bytes[place] == 0x0D { place += 1 }
        if place < bytes.count, bytes[place] == 0x0A, place == end || bytes[place - 1] == 0x0D {
            place += 1
        }
        guard line.bytes.count + end - start <= mostLineBytes else {
            line.isTooLong = true
            // The name is enough for the fault.
            if line.bytes.isEmpty { line.bytes = Array(bytes[start..<end].prefix(64)) }
            return
        }
        // libical's texts end with a zero byte.
        if bytes[start..<end].contains(0) {
            line.bytes += bytes[start..<end].filter { $0 != 0 }
        } else {
            line.bytes += bytes[start..<end]
        }
    }
}
