public import Events
public import JSON

/// A request for a scan, as its asker reads it.
public struct ListedScanRequest: Listed {
    public static var listName: StaticString { "scanRequests" }

    public enum State: String, Sendable { case open, done, cancelled, over }

    private let requested: [ScanRequested]
    public let state: State

    /// - Parameter requested: one event for each scanner, at least one.
    public init(_ requested: [ScanRequested], _ state: State) {
        self.requested = requested
        self.state = state
    }

    public func writeMembers(to writer: inout JSONWriter) {
        guard let first = requested.first else { return }
        writer.field("id", first.id)
        writer.field("site", first.site)
        writer.array("scanners", requested.map(\.scanner.text))
        first.writeWish(to: &writer)
        writer.field("askedBy", first.asker)
        writer.field("askedAt", first.askedAt)
        writer.field("until", first.until)
        writer.field("state", state.rawValue)
        writer.field("scanSwitch", state == .open)
        writer.field("shouldScan", state == .open)
    }
}

extension ScanRequested {
    func writeWish(to writer: inout JSONWriter) {
        writer.field("store", store)
        if let place { writer.field("place", place) }
        writer.field("room", room)
    }
}

/// The answer to a scanner's poll.
public struct AwaitedScans: Sendable {
    public var open: [ScanRequested]
    public var cancelled: [EventID]
    /// The value of `after` for the next poll.
    public var next: String

    public init(open: [ScanRequested], cancelled: [EventID], next: String) {
        self.open = open
        self.cancelled = cancelled
        self.next = next
    }

    public func json(at moment: Timestamp) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.array("requests", open) { request, writer in
            writer.beginObject()
            writer.field("id", request.id)
            writer.field("askedAt", request.askedAt)
            writer.field("until", request.until)
            let left = Double(max(0, request.until - moment)) / 1_000_000
            writer.field("secondsLeft", left, decimals: 3)
            request.writeWish(to: &writer)
            writer.endObject()
        }
        writer.array("cancelled", cancelled.map(\.description))
        writer.field("next", next)
        writer.endObject()
        return writer.finish()
    }
}
