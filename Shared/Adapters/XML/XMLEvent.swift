/// A name with the namespace that its prefix stands for; empty where it has none.
public struct XMLName: Hashable, Sendable {
    public var space: String
    public var local: String
    /// As it is written before the colon; empty where there is none.
    public var prefix: String

    public init(space: String = "", local: String, prefix: String = "") {
        self.space = space
        self.local = local
        self.prefix = prefix
    }
}

/// What a document holds, in the order of its text.
public enum XMLEvent: Hashable, Sendable {
    /// Attributes in the order of the text; declarations of namespaces are none.
    case begin(XMLName, [XMLAttribute])
    case end(XMLName)
    /// A stretch of text, in as many parts as the reader likes.
    case text(String)
    /// Between `<!--` and `-->`.
    case comment(String)
    /// `<![CDATA[`, and its end; what is between comes as text.
    case section(isOpen: Bool)
    /// `<?target ...?>`, but for the XML declaration.
    case instruction(target: String)
    /// - Parameters:
    ///   - system: the address of declarations that are elsewhere, if any.
    ///   - hasSubset: whether it declares things of its own, such as entities.
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

/// Why bytes are no XML document, in expat's words, and where.
public struct XMLFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var reason: String
    /// From 1.
    public var line: Int

    public init(reason: String, line: Int) {
        self.reason = reason
        self.line = line
    }

    public var description: String { "line \(line): \(reason)" }
}
