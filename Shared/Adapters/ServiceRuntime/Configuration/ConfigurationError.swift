/// Everything that is wrong with the environment.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// In the order of the settings, unknown variables last. Never quotes a value.
    public let faults: [ConfigurationFault]

    public init(faults: [ConfigurationFault]) { self.faults = faults }

    /// One line per fault.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// One variable and what is wrong with it.
public struct ConfigurationFault: Error, Sendable, Hashable, CustomStringConvertible {
    public let name: String
    public let problem: String

    public init(name: String, problem: String) {
        self.name = name
        self.problem = problem
    }

    public var description: String { "\(name) \(problem)" }
}
