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
}
