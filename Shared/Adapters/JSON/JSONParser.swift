import CSimdjson
import Glibc

/// Reads JSON (RFC 8259) with simdjson, and keeps its buffers from one document to the next.
///
/// simdjson writes a document onto a tape of 64-bit words; values are read from there without
/// calling into C. A key that appears twice in an object has its last value. Integers must fit into
/// `Int64` or `UInt64` and other numbers into a finite `Double`, else the document is refused.
///
/// One thread uses a parser at a time, and one document at a time: `parse` must not be called on
/// the parser from within its own closure.
public final class JSONParser {
    /// Buffers for documents above this are given back after use. Each thread keeps a parser, and
    /// simdjson takes fourteen times the bytes of the document: a few large ones would otherwise
    /// hold gigabytes for good.
    private static let keptBytes = 16 << 10

    public let maximumDepth: Int
    public let maximumBytes: Int
    private let handle: OpaquePointer

    /// - Parameters:
    ///   - maximumDepth: how many objects and arrays may lie inside each other; an empty one is not
    ///     counted.
    ///   - maximumBytes: the largest document; at most 4 GiB, a limit of simdjson.
    public init(maximumDepth: Int = 32, maximumBytes: Int = 256 << 20) {
        precondition(maximumDepth > 0 && (1...0xFFFF_FFFF).contains(maximumBytes))
        self.maximumDepth = maximumDepth
        self.maximumBytes = maximumBytes
        // simdjson counts the document itself as a level.
        guard let handle = csimdjson_make(maximumDepth + 1) else {
            fatalError("no memory for a JSON parser")
        }
        self.handle = handle
    }

    deinit { csimdjson_free(handle) }

    /// Parses the bytes and hands the root to `body`. The value and all that is reached from it are
    /// valid only inside `body`.
    ///
    /// - Parameter fault: turns a fault of the document into the error that `body` throws too.
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

    /// Parses the bytes; throws `JSONFault` or what `body` throws.
    public func parse<Outcome>(
        _ bytes: [UInt8], _ body: (JSONValue) throws -> Outcome
    ) throws -> Outcome {
        try bytes.withUnsafeBytes { buffer in
            try parse(buffer, fault: { $0 as any Error }, body)
        }
    }

    /// Lends a parser with the default limits that this thread keeps. A call inside the closure
    /// gets another one.
    public static func withShared<Outcome, Failure: Error>(
        _ body: (JSONParser) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        let key = sharedParserKey
        let parser: JSONParser
        if let stored = pthread_getspecific(key) {
            // The thread's slot owns one reference; it is taken over here, so the slot is empty
            // while the parser is lent and only this thread can have it.
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

    /// Parses with a parser that this thread keeps; throws `JSONFault` or what `body` throws.
    public static func read<Outcome>(
        _ bytes: [UInt8], _ body: (JSONValue) throws -> Outcome
    ) throws -> Outcome {
        try withShared { try $0.parse(bytes, body) }
    }
}

/// The thread-local slot of `withShared`. Its destructor releases the parser when the thread ends.
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
