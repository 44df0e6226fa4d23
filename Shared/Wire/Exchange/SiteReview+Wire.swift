import Events
import Geometry
import JSON
public import Site

extension SiteReview {
    /// `{"version", "revision", "findings": […], "counts": {…}}`; the counts give how often each
    /// code was found.
    ///
    /// - Parameters:
    ///   - version: the version of the site; nil for a file.
    ///   - revision: the revision of a draft.
    ///   - document: the reviewed document, for the places of the findings; nil for none.
    public func json(
        version: Int? = nil, revision: Int? = nil, of document: SiteDocument? = nil
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 65_536)
        writer.beginObject()
        writer.field("version", version)
        writer.field("revision", revision)
        writeMembers(document, to: &writer)
        writer.endObject()
        return writer.finish()
    }

    private func writeMembers(_ document: SiteDocument?, to writer: inout JSONWriter) {
        writeFindings(findings, of: document, to: &writer)
        writer.name("counts")
        writer.beginObject()
        for code in ReviewFinding.Code.allCases {
            let count = findings.count { $0.code == code }
            if count > 0 {
                writer.name(code.rawValue)
                writer.integer(count)
            }
        }
        writer.endObject()
    }

    /// `"findings": […]`, each with its place and its cure.
    func writeFindings(
        _ findings: [ReviewFinding], of document: SiteDocument?, to writer: inout JSONWriter
    ) {
        let places = document.map { self.places(in: $0) } ?? [:]
        writer.name("findings")
        writer.beginArray()
        for finding in findings {
            writer.beginObject()
            writer.field("code", finding.code.rawValue)
            writer.field("severity", finding.severity.rawValue)
            writer.name("subjects")
            writer.beginArray()
            for subject in finding.subjects {
                writer.beginObject()
                writer.field("kind", subject.kind)
                writer.field("id", subject.id)
                writer.endObject()
            }
            writer.endArray()
            writer.field("text", finding.text)
            if let thing = finding.thing {
                DraftThing.record(thing).writeMembers(to: &writer)
                if let place = places[thing], let frame = document?.frame {
                    place.write(in: frame, to: &writer)
                }
            }
            writer.field("cure", finding.code.cure)
            writer.endObject()
        }
        writer.endArray()
    }
}

extension FindingPlace {
    /// `"place": {"floor"?, "x", "y", "latitude", "longitude"}`.
    fileprivate func write(in frame: LocalFrame, to writer: inout JSONWriter) {
        let degrees = frame.geographic(point)
        writer.name("place")
        writer.beginObject()
        writer.field("floor", floor?.text)
        writer.field("x", point.x, decimals: 2)
        writer.field("y", point.y, decimals: 2)
        writer.field("latitude", degrees.latitude, decimals: 7)
        writer.field("longitude", degrees.longitude, decimals: 7)
        writer.endObject()
    }
}
