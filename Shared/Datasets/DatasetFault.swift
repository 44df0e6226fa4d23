/// Why a data set could not be read: the file, the place in it, and the fault.
public struct DatasetFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    /// The line, counted from 1; nil when the fault concerns the complete file.
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
