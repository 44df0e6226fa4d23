/// Why a data set could not be read: which file, where in it, and what is missing.
public struct DatasetFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    /// From 1; nil when it is about the file as a whole.
    public var line: Int?
    public var column: String?
    public var detail: String

    public init(file: String, line: Int? = nil, column: String? = nil, detail: String) {
        self.file = file
        self.line = line
        self.column = column
        self.detail = detail
    }

    public var description: String {
        var text = file
        if let line { text += ", line \(line)" }
        if let column { text += ", column \(column)" }
        return "\(text): \(detail)"
    }
}
