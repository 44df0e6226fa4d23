public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The faults in the order of the settings, unknown variables last. They quote no value
    /// but paths of files and short words in place of numbers.
    public let faults: [ConfigurationFault]

    public init(faults: [ConfigurationFault]) { self.faults = faults }

    public var description: String { faults.map(\.description).joined(separator: "\n") }
}

public struct ConfigurationFault: Error, Sendable, Hashable, CustomStringConvertible {
    public let name: String
    public let problem: String

    public init(name: String, problem: String) {
        self.name = name
        self.problem = problem
    }

    public var description: String { "\(name) \(problem)" }
}
