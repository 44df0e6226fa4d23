public import Events
import JSON

/// The positioners of a site: the answer of `GET /v1/sites/{site}/positioner`.
public struct SitePositioners: Sendable {
    /// One selection of the history.
    public struct Selected: Sendable {
        let event: PositionerSelected
        let by: String?

        /// - Parameter by: the account or token that selected; nil where nobody knows.
        public init(_ event: PositionerSelected, by: String?) {
            self.event = event
            self.by = by
        }
    }

    private let site: SiteID
    private let served: String
    private let beside: [String]
    private let standard: String
    private let allowed: [String]
    private let history: [Selected]

    /// - Parameters:
    ///   - served: the name of the positioner that serves the site now.
    ///   - standard: the name of the installation's default.
    ///   - history: the newest first.
    public init(
        site: SiteID, served: String, beside: [String], standard: String, allowed: [String],
        history: [Selected]
    ) {
        self.site = site
        self.served = served
        self.beside = beside
        self.standard = standard
        self.allowed = allowed
        self.history = history
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("site", site)
        writer.field("served", served)
        writer.array("beside", beside)
        writer.field("default", standard)
        writer.array("allowed", allowed)
        writer.array("history", history) { selected, writer in
            writer.beginObject()
            writer.field("revision", selected.event.revision)
            writer.nullable("served", selected.event.selection.served)
            writer.array("beside", selected.event.selection.beside)
            writer.field("selectedAt", selected.event.selectedAt)
            writer.field("selectedBy", selected.by)
            writer.endObject()
        }
        writer.endObject()
        return writer.finish()
    }
}
