import Synchronization

/// Counts the connections and unfinished requests of each address, over all polling loops.
final class AddressBook: Sendable {
    private struct Counts {
        var connections = 0
        var unfinished = 0
    }

    let maximumConnections: Int
    private let maximumUnfinished: Int
    private let counts = Mutex<[NetworkAddress: Counts]>([:])

    init(maximumConnections: Int, maximumUnfinished: Int) {
        self.maximumConnections = maximumConnections
        self.maximumUnfinished = maximumUnfinished
    }

    func connections(of sender: NetworkAddress) -> Int {
        counts.withLock { $0[sender]?.connections ?? 0 }
    }

    func connections() -> [NetworkAddress: Int] {
        counts.withLock { $0.mapValues(\.connections) }
    }

    func opened(by sender: NetworkAddress) { change(sender) { $0.connections += 1 } }

    func closed(by sender: NetworkAddress) { change(sender) { $0.connections -= 1 } }

    /// Counts a request whose body is still arriving. Returns false when its sender has too many of
    /// these.
    func begins(_ sender: NetworkAddress) -> Bool {
        counts.withLock { counts in
            guard counts[sender]?.unfinished ?? 0 < maximumUnfinished else { return false }
            counts[sender, default: Counts()].unfinished += 1
            return true
        }
    }

    func finished(_ sender: NetworkAddress) { change(sender) { $0.unfinished -= 1 } }

    private func change(_ sender: NetworkAddress, _ body: (inout Counts) -> Void) {
        counts.withLock { counts in
            var now = counts[sender] ?? Counts()
            body(&now)
            counts[sender] = now.connections > 0 || now.unfinished > 0 ? now : nil
        }
    }
}
