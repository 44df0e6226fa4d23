public import Events
internal import JSON

/// An erasure and its progress: the answer of `DELETE /v1/sites/{site}/devices/{id}` and of `GET
/// /v1/sites/{site}/erasures/{id}`.
public struct ErasureAnswer: Sendable {
    private let erased: DeviceErased

    public init(_ erased: DeviceErased) { self.erased = erased }

    /// - Parameters:
    ///   - parts: the services that keep something, and whether they are done; nil for one that did
    ///     not answer. Empty before anybody was asked.
    ///   - onLogUntil: until when the log holds an id that people chose by hand; nil where it holds
    ///     none, or only a random one.
    public func json(
        parts: [(name: String, isDone: Bool?)] = [], onLogUntil: Timestamp? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("id", erased.id)
        writer.field("site", erased.site)
        writer.field("device", erased.device)
        writer.field("at", erased.at)
        if let onLogUntil { writer.field("onLogUntil", onLogUntil) }
        if !parts.isEmpty {
            writer.field("done", parts.allSatisfy { $0.isDone == true })
            writer.array("services", parts) { part, writer in
                writer.beginObject()
                writer.field("service", part.name)
                let state = part.isDone.map { $0 ? "done" : "under-way" } ?? "unreachable"
                writer.field("state", state)
                writer.endObject()
            }
        }
        writer.endObject()
        return writer.finish()
    }

    /// A service's own answer: `{"done"}`.
    public static func json(isDone: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("done", isDone)
        writer.endObject()
        return writer.finish()
    }

    /// Reads a service's own answer; false where it can't be read.
    public static func isDone(_ body: [UInt8]) -> Bool {
        let done = try? withJSON(body) { (root) throws(WireFault) in
            try FieldReader(WireValue(root)).required("done").bool()
        }
        return done ?? false
    }
}
