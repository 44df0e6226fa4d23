import CXML2

/// The reason for which a page can't be read, or a path can't be followed.
public enum HTMLPageError: Error, Hashable, Sendable {
    case empty
    case tooManyBytes(limit: Int)
    case tooManyElements(limit: Int)
    case tooManyAttributes(limit: Int)
    case nestedTooDeeply(limit: Int)
    case unreadable
    /// The path takes too many steps on this page, or finds something else than nodes.
    case pathFailed(String)
    /// All paths together take too many steps on this page.
    case tooManySteps(limit: Int)
    /// The texts that are read of this page are too long together.
    case tooMuchText(limit: Int)
    case tooManyNodes(limit: Int)
    /// The path does not find a table.
    case noTable
    case tableTooLarge(places: Int)
}

/// A page as libxml2's reader of HTML understands it. Broken HTML is no error.
///
/// Nothing is loaded from elsewhere, and no entities but HTML's own are known.
///
/// Not `Sendable`: libxml2's documents belong to one thread at a time.
public final class HTMLPage {
    let document: htmlDocPtr
    /// Steps of libxml2 that are left for all paths.
    var stepsLeft = HTMLLimits.mostSteps
    /// Bytes that are left for reading the texts of nodes.
    var readBytesLeft = HTMLLimits.mostReadBytes

    /// - Parameters:
    ///   - contentType: the header field, such as `text/html; charset=utf-8`. The byte order mark
    ///     goes before it, and it goes before `<meta>`.
    public init(bytes: [UInt8], contentType: String?) throws(HTMLPageError) {
        guard bytes.contains(where: { $0 > 32 }) else { throw .empty }
        guard bytes.count <= HTMLLimits.mostBytes else {
            throw .tooManyBytes(limit: HTMLLimits.mostBytes)
        }
        LibXML.prepare()
        let (content, charset) = HTMLCharacters.decoded(bytes, contentType: contentType)
        try HTMLTags.check(content)
        guard let context = htmlNewParserCtxt() else { throw .unreadable }
        defer { htmlFreeParserCtxt(context) }
        context.pointee.sax.pointee.serror = ignoreError
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue
            | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_NONET.rawValue
            | HTML_PARSE_COMPACT.rawValue
        let parsed = content.withUnsafeBytes { buffer in
            htmlCtxtReadMemory(
                context, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(buffer.count), nil, charset, Int32(options))
        }
        guard let parsed else { throw .unreadable }
        guard let fault = Self.fault(in: parsed) else {
            document = parsed
            return
        }
        xmlFreeDoc(parsed)
        throw fault
    }

    deinit { xmlFreeDoc(document) }

    /// The nodes that the path finds, in the order of the page.
    public func nodes(_ path: HTMLPath) throws(HTMLPageError) -> [HTMLNode] {
        try Self.found(path, on: self, from: nil)
    }

    /// The first table that the path finds, laid out as browsers do.
    public func table(_ path: HTMLPath) throws(HTMLPageError) -> HTMLTable {
        for node in try nodes(path) where node.name == "table" {
            return try HTMLTable(node)
        }
        throw .noTable
    }

    static func found(
        _ path: HTMLPath, on page: HTMLPage, from node: xmlNodePtr?
    ) throws(HTMLPageError) -> [HTMLNode] {
        let steps = min(page.stepsLeft, HTMLLimits.mostPathSteps)
        guard steps > 0 else { throw .tooManySteps(limit: Int(HTMLLimits.mostSteps)) }
        LibXML.prepare()
        guard let context = xmlXPathNewContext(page.document) else { throw .unreadable }
        defer { xmlXPathFreeContext(context) }
        context.pointee.opLimit = steps
        context.pointee.error = ignoreError
        context.pointee.node = node ?? xmlDocGetRootElement(page.document)
        let evaluated = xmlXPathEval(path.text, context)
        page.stepsLeft -= min(steps, context.pointee.opCount)
        guard let result = evaluated else {
            if page.stepsLeft == 0 { throw .tooManySteps(limit: Int(HTMLLimits.mostSteps)) }
            throw .pathFailed("the path takes too many steps or calls an unknown function")
        }
        defer { xmlXPathFreeObject(result) }
        guard result.pointee.type == XPATH_NODESET else {
            throw .pathFailed("the path does not find nodes")
        }
        guard let set = result.pointee.nodesetval else { return [] }
        let count = Int(set.pointee.nodeNr)
        guard count <= HTMLLimits.mostNodes else {
            throw .tooManyNodes(limit: HTMLLimits.mostNodes)
        }
        // Namespace nodes would be freed with the result.
        return (0..<count).compactMap { set.pointee.nodeTab[$0] }
            .filter { $0.pointee.type != XML_NAMESPACE_DECL }
            .map { HTMLNode(page, $0) }
    }

    /// Walks without recursion, since a page can nest deeply.
    private static func fault(in document: htmlDocPtr) -> HTMLPageError? {
        guard let root = xmlDocGetRootElement(document) else { return .empty }
        var (node, depth, count) = (root, 1, 0)
        while true {
            count += 1
            if count > HTMLLimits.mostElements * 3 {
                return .tooManyElements(limit: HTMLLimits.mostElements)
            }
            if depth > HTMLLimits.mostDepth {
                return .nestedTooDeeply(limit: HTMLLimits.mostDepth)
            }
            if node.pointee.type == XML_ELEMENT_NODE, let child = node.pointee.children {
                (node, depth) = (child, depth + 1)
                continue
            }
            while node != root, node.pointee.next == nil, let parent = node.pointee.parent {
                (node, depth) = (parent, depth - 1)
            }
            guard node != root, let next = node.pointee.next else { return nil }
            node = next
        }
    }
}
