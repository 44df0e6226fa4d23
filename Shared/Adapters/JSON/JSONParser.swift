import CSimdjson
import Glibc

/// Parses JSON (RFC 8259) with simdjson, and keeps its buffers from one document to the next.
///
/// simdjson writes a document onto a tape of 64-bit words, and values are read from there without C
/// calls. If a key occurs twice in an object, the last value counts. Integers must fit `Int64` or
/// `UInt64`, and other numbers a finite `Double`. Otherwise the document is refused.
///
/// One thread uses a parser at a time, for one document at a time. The closure of `parse` must not
/// call `parse` on the same parser.
public final class JSONParser {
    /// Documents above this size get temporary buffers. Each thread keeps a parser, and simdjson
    /// needs fourteen times the document's bytes. A few large documents would otherwise occupy
    /// gigabytes for good.
    private static let keptBytes = 16 << 10

    public let maximumDepth: Int
    public let maximumBytes: Int
    private let handle: OpaquePointer

    /// - Parameters:
    ///   - maximumDepth: how deep objects and arrays may be nested; an empty one does not count.
    ///   - maximumBytes: the limit for a document; at most 4 GiB, a limit of simdjson.
    public init(maximumDepth: Int = 32, maximumBytes: Int = 256 << 20) {
        precondition(maximumDepth > 0 && (1...0xFFFF_FFFF).contains(maximumBytes))
        self.maximumDepth = maximumDepth
        self.maximumBytes = maximumBytes
        // simdjson counts the document itself as one level.
        guard let handle = csimdjson_make(maximumDepth + 1) else {
            fatalError("no memory for a JSON parser")
        }
        self.handle = handle
    }

    deinit { csimdjson_free(handle) }

    /// Parses the bytes and passes the root value to `body`. The value and everything reached from
    /// it are valid only inside `body`.
    ///
    /// - Parameter fault: converts a fault of the document into an error of the type that `body`
    ///   throws.
    public func parse<Outcome, Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, fault: (JSONFault) -> Failure,
        _ body: (JSONValue) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        guard bytes.count <= maximumBytes else { throw fault(JSONFault(.tooLarge)) }
        var document = csimdjson_document()
        let code = csimdjson_parse(
            handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &document)
        defer {
            if csimdjson_capacity(handle) > Self.keptBytes { csimdjson_shrink(handle) }
        }
        guard Int(code) == CSIMDJSON_SUCCESS, let tape = document.tape,
            let strings = document.strings
        else {
            guard Int(code) != CSIMDJSON_NO_MEMORY else { throw fault(JSONFault(.tooLarge)) }
            throw fault(JSONDiagnosis.fault(of: bytes, maximumDepth: maximumDepth))
        }
        return try body(JSONValue(tape: tape, strings: strings, index: 1))
    }

    /// Parses the bytes. Throws `JSONFault` or the error of `body`.
    public func parse<Outcome>(
        _ bytes: [UInt8], _ body: (JSONValue) throws -> Outcome
    ) throws -> Outcome {
        try bytes.withUnsafeBytes { buffer in
            try parse(buffer, fault: { $0 as any Error }, body)
        }
    }

    /// Lends the parser that this thread keeps, with the default limits. A nested call inside the
    /// closure gets another parser.
    public static func withShared<Outcome, Failure: Error>(
        _ body: (JSONParser) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        let key = sharedParserKey
        let parser: JSONParser
        if let stored = pthread_getspecific(key) {
            // Takes ownership from the thread's slot. The slot stays empty while the parser is
            // lent, so no other call can get it.
            parser = Unmanaged<JSONParser>.fromOpaque(stored).takeRetainedValue()
            pthread_setspecific(key, nil)
        } else {
            parser = JSONParser()
        }
        defer { giveBack(parser, to: key) }
        return try body(parser)
    }

    private static func giveBack(_ parser: JSONParser, to key: pthread_key_t) {
        if pthread_getspecific(key) == nil {
            pthread_setspecific(key, Unmanaged.passRetained(parser).toOpaque())
        }
    }

    /// Parses with the parser that this thread keeps. Throws `JSONFault` or the error of `body`.
    public static func read<Outcome>(
        _ bytes: [UInt8], _ body: (JSONValue) throws -> Outcome
    ) throws -> Outcome {
        try withShared { try $0.parse(bytes, body) }
    }
}

/// The thread-local slot for `withShared`. The slot's destructor releases the parser when the
/// thread ends.
private let sharedParserKey: pthread_key_t = makeSharedParserKey()

private func makeSharedParserKey() -> pthread_key_t {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { stored in
        guard let stored else { return }
        Unmanaged<JSONParser>.fromOpaque(stored).release()
    }
    precondition(code == 0, "no thread-local slot left")
    return key
}
