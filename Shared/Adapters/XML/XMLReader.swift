import CExpat

/// Reads an XML document with expat, from the first byte to the last.
///
/// Nothing external is loaded. The caller sees `documentType` before any entity is used, and
/// undeclared entities are faults.
public enum XMLReader {
    public static let mostDepth = 256

    /// Calls `visit` with each part of the document, until it returns false or the document ends.
    ///
    /// - Parameter bytes: UTF-8, whatever encoding the document states; at most 2 GB.
    ///
    /// - Throws: `XMLFault` when the bytes are not a document, or elements are nested too deeply.
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
        // The parser holds no reference, so the reading is kept alive until the end of this
        // function.
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

    /// The byte between a namespace and a name. Neither contains it.
    fileprivate static let separator: UInt8 = 0x0A
}

/// The state that expat's callbacks share while a document is read.
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

    func deliver(_ event: XMLEvent) {
        // expat may report more events after it was stopped.
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
            Reading.of(data)?.deliver(.begin(named(name), listed(attributes)))
        },
        { data, name in Reading.of(data)?.deliver(.end(named(name))) })
    XML_SetCharacterDataHandler(parser) { data, text, count in
        guard let text, count > 0 else { return }
        let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
        Reading.of(data)?.deliver(.text(String(decoding: bytes, as: UTF8.self)))
    }
    XML_SetProcessingInstructionHandler(parser) { data, target, _ in
        Reading.of(data)?.deliver(.instruction(target: text(target)))
    }
    XML_SetStartDoctypeDeclHandler(parser) { data, name, system, _, hasSubset in
        Reading.of(data)?.deliver(
            .documentType(
                name: text(name), system: system.map { String(cString: $0) },
                hasSubset: hasSubset != 0))
    }
    XML_SetXmlDeclHandler(parser) { data, _, encoding, _ in
        if encoding != nil { Reading.of(data)?.deliver(.encoding(text(encoding))) }
    }
    XML_SetCommentHandler(parser) { data, comment in
        Reading.of(data)?.deliver(.comment(text(comment)))
    }
    XML_SetCdataSectionHandler(
        parser, { data in Reading.of(data)?.deliver(.section(isOpen: true)) },
        { data in Reading.of(data)?.deliver(.section(isOpen: false)) })
}

private func text(_ characters: UnsafePointer<XML_Char>?) -> String {
    characters.map { String(cString: $0) } ?? ""
}

/// Splits expat's name: `local`, `space separator local`, or
/// `space separator local separator prefix`.
private func named(_ characters: UnsafePointer<XML_Char>?) -> XMLName {
    let parts = text(characters).utf8.split(
        separator: XMLReader.separator, omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    guard parts.count > 1 else { return XMLName(local: parts.first ?? "") }
    return XMLName(space: parts[0], local: parts[1], prefix: parts.count > 2 ? parts[2] : "")
}

/// Reads expat's list of attributes: name, value, name, value, ..., null.
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
