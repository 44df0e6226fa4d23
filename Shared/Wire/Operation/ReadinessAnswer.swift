internal import JSON

/// The answer of `/readyz`: the parts of a process that can't do their work.
public struct ReadinessAnswer: Sendable, Hashable {
    public struct Part: Sendable, Hashable {
        public var name: String
        /// Nil for a part that is starting.
        public var reason: String?
    }

    public var isReady: Bool
    /// The parts that are not ready.
    public var unready: [Part]

    /// Nil where the body is another program's.
    public init?(json: [UInt8]) {
        let read = try? JSONParser.read(json) { root -> Self? in
            guard let object = root.object, let isReady = object["ready"]?.bool,
                let checks = object["checks"]?.array
            else { return nil }
            var unready: [Part] = []
            for check in checks {
                guard let check = check.object, let name = check["name"]?.string,
                    check["state"]?.string != "ready"
                else { continue }
                unready.append(Part(name: name, reason: check["reason"]?.string))
            }
            return Self(isReady: isReady, unready: unready)
        }
        guard let read else { return nil }
        self = read
    }

    private init(isReady: Bool, unready: [Part]) {
        self.isReady = isReady
        self.unready = unready
    }
}
