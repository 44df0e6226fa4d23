/// Writes lists of JSON objects as lines or as an array.
enum ListWriting {
    /// NDJSON: one object on each line.
    static func lines(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        for object in objects {
            bytes += object
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    static func array(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = [UInt8(ascii: "[")]
        for (number, object) in objects.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += object
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    /// The last line of NDJSON that is a file: without it the file is not complete.
    static func lastLine(_ count: Int) -> [UInt8] {
        Array("{\"complete\":true,\"rows\":\(count)}\n".utf8)
    }

    /// The same for CSV. It has one field, so that no reader takes it for a row.
    static func lastRow(_ count: Int) -> [UInt8] {
        Array("# complete: \(count) rows\r\n".utf8)
    }
}
