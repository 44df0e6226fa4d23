import CExpat

/// Reads an XML document with expat, from the first byte to the last, once.
///
/// Nothing is loaded from anywhere: a document that declares or asks for entities of its own gets
/// as far as its `documentType`, and entities that nobody declared are faults.
public enum XMLReader {
    /// Elements within elements, at most.
    public static let mostDepth = 256

    /// Calls `visit` with what the document holds until it answers false, or the document ends.
    ///
    /// - Parameter bytes: UTF-8, whatever the document says of itself; at most 2 GB.
    /// - Throws: `XMLFault` for bytes that are no document, or one that is nested too deeply.
    public static func read(
        _ bytes: [UInt8], _ visit: (XMLEvent) -> Bool
    ) throws(XMLFault) {
        try withoutActuallyEscaping(visit) { visit throws(XMLFault) in
            try readWhole(bytes, visit)
        }
    }

    private static func readWhole(
        _ bytes: [UInt8], _ visit: @escaping (XMLEvent) -> Bool
    ) throws(XMLFault) {
        guard let count = Int32(exactly: bytes.count) else {
            throw XMLFault(reason: "the document has over 2 GB", line: 1)
        }
        guard let parser = XML_ParserCreateNS("UTF-8", XML_Char(bitPattern: separator)) else {
            throw XMLFault(reason: "no memory for a reader", line: 1)
        }
        defer { XML_ParserFree(parser) }
        let reading = Reading(parser, visit)
        // The reading outlives the parser's last call: it is held until the end of this function.
        XML_SetReturnNSTriplet(parser, 1)
        XML_SetUserData(parser, Unmanaged.passUnretained(reading).toOpaque())
        setHandlers(parser)
        let status = bytes.withUnsafeBytes { buffer in
            XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), count, 1)
        }
        defer { withExtendedLifetime(reading) {} }
        if let fault = reading.fault { throw fault }
        guard status == XML_STATUS_OK || reading.isStopped else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
            throw XMLFault(reason: reason ?? "no XML", line: reading.line)
        }
    }

    /// Between a name's namespace and the name: no byte of either.
    fileprivate static let separator: UInt8 = 0x0A
}

/// What expat's callbacks know of a document that is being read.
private final class Reading {
    private let parser: XML_Parser
    private let visit: (XMLEvent) -> Bool
    private var depth = 0
    private(set) var fault: XMLFault?
    private(set) var isStopped = false

    init(_ parser: XML_Parser, _ visit: @escaping (XMLEvent) -> Bool) {
        self.parser = parser
        self.visit = visit
    }

    var line: Int { Int(clamping: XML_GetCurrentLineNumber(parser)) }

    func tell(_ event: XMLEvent) {
        // Expat may have more to tell after it was stopped.
        guard !isStopped else { return }
        if case .begin = event { depth += 1 }
        if case .end = event { depth -= 1 }
        if depth > XMLReader.mostDepth {
            fault = XMLFault(reason: "elements are nested too deeply", line: line)
        } else if visit(event) {
            return
        }
        isStopped = true
        XML_StopParser(parser, 0)
    }

    static func of(_ data: UnsafeMutableRawPointer?) -> Reading? {
        data.map { Unmanaged<Reading>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func setHandlers(_ parser: XML_Parser) {
    XML_SetElementHandler(
        parser,
        { data, name, attributes in
            Reading.of(data)?.tell(.begin(named(name), listed(attributes)))
        },
        { data, name in Reading.of(data)?.tell(.end(named(name))) })
    XML_SetCharacterDataHandler(parser) { data, text, count in
        guard let text, count > 0 else { return }
        let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
        Reading.of(data)?.tell(.text(String(decoding: bytes, as: UTF8.self)))
    }
    XML_SetProcessingInstructionHandler(parser) { data, target, _ in
        Reading.of(data)?.tell(.instruction(target: text(target)))
    }
    XML_SetStartDoctypeDeclHandler(parser) { data, name, system, _, hasSubset in
        Reading.of(data)?.tell(
            .documentType(
                name: text(name), system: system.map { String(cString: $0) },
                hasSubset: hasSubset != 0))
    }
    XML_SetXmlDeclHandler(parser) { data, _, encoding, _ in
        if encoding != nil { Reading.of(data)?.tell(.encoding(text(encoding))) }
    }
    XML_SetCommentHandler(parser) { data, comment in
        Reading.of(data)?.tell(.comment(text(comment)))
    }
    XML_SetCdataSectionHandler(
        parser, { data in Reading.of(data)?.tell(.section(isOpen: true)) },
        { data in Reading.of(data)?.tell(.section(isOpen: false)) })
}

private func text(_ characters: UnsafePointer<XML_Char>?) -> String {
    characters.map { String(cString: $0) } ?? ""
}

/// `local`, `space separator local`, or `space separator local separator prefix`.
private func named(_ characters: UnsafePointer<XML_Char>?) -> XMLName {
    let parts = text(characters).utf8.split(
        separator: XMLReader.separator, omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    guard parts.count > 1 else { return XMLName(local: parts.first ?? "") }
    return XMLName(space: parts[0], local: parts[1], prefix: parts.count > 2 ? parts[2] : "")
}

/// Name, value, name, value, ..., null.
private func listed(
    _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) -> [XMLAttribute] {
    var list: [XMLAttribute] = []
    var place = attributes
    while let name = place?.pointee, let value = place?.advanced(by: 1).pointee {
        list.append(XMLAttribute(name: named(name), value: text(value)))
        place = place?.advanced(by: 2)
    }
    return list
}
