/// Splits chunks of bytes into lines. It keeps an incomplete line until the rest comes.
struct LineSplitter {
    private let path: String
    private let limit: Int
    private var rest: [UInt8] = []
    private var number = 0

    init(path: String, limit: Int) {
        self.path = path
        self.limit = limit
    }

    mutating func add(
        _ chunk: UnsafeRawBufferPointer, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Void
    ) throws {
        let bytes = chunk.assumingMemoryBound(to: UInt8.self)
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
            if rest.isEmpty {
                try emit(line, body)
            } else {
                rest.append(contentsOf: line)
                try emitRest(body)
            }
            start = end + 1
        }
        rest.append(contentsOf: bytes[start...])
        guard rest.count <= limit else { throw tooLong }
    }

    /// Passes on the last line, which may have no line feed.
    mutating func finish(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Void) throws {
        if !rest.isEmpty { try emitRest(body) }
    }

    private mutating func emitRest(
        _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Void
    ) throws {
        let line = rest
        rest.removeAll(keepingCapacity: true)
        try line.withUnsafeBufferPointer { try emit($0, body) }
    }

    private mutating func emit(
        _ line: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Void
    ) throws {
        number += 1
        guard line.count <= limit else { throw tooLong }
        let hasReturn = line.last == UInt8(ascii: "\r")
        try body(UnsafeBufferPointer(rebasing: line.dropLast(hasReturn ? 1 : 0)), number)
    }

    private var tooLong: ArchiveError {
        ArchiveError(
            code: .lineTooLong, path: path, detail: "line \(number + 1) is over \(limit) bytes")
    }
}
