/// A name with the namespace of its prefix. The namespace is empty if there is none.
public struct XMLName: Hashable, Sendable {
    public var space: String
    public var local: String
    /// The prefix as written before the colon. Empty if there is none.
    public var prefix: String

    public init(space: String = "", local: String, prefix: String = "") {
        self.space = space
        self.local = local
        self.prefix = prefix
    }
}

/// A part of a document, in the order of the text.
public enum XMLEvent: Hashable, Sendable {
    /// The start of an element. Attributes are in the order of the text, without namespace
    /// declarations.
    case begin(XMLName, [XMLAttribute])
    case end(XMLName)
    /// A piece of text. One text may come in several pieces.
    case text(String)
    /// A comment: the text between `<!--` and `-->`.
    case comment(String)
    /// The start or end of `<![CDATA[ … ]]>`. The text inside comes as `text`.
    case section(isOpen: Bool)
    /// A processing instruction `<?target ...?>`, but not the XML declaration.
    case instruction(target: String)
    /// - Parameters:
    ///   - system: the address of external declarations, if any.
    ///   - hasSubset: whether the document has declarations of its own, such as entities.
    case documentType(name: String, system: String?, hasSubset: Bool)
    /// The encoding that `<?xml ...?>` names.
    case encoding(String)
}

public struct XMLAttribute: Hashable, Sendable {
    public var name: XMLName
    public var value: String

    public init(name: XMLName, value: String) {
        self.name = name
        self.value = value
    }
}

/// The fault in bytes that are not an XML document, in expat's words, with its line.
public struct XMLFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var reason: String
    /// The line, counted from 1.
    public var line: Int

    public init(reason: String, line: Int) {
        self.reason = reason
        self.line = line
    }

    public var description: String { "line \(line): \(reason)" }
}
