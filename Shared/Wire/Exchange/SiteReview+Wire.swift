import JSON
public import Site

extension SiteReview {
    /// `{"version", "findings": […], "counts": {…}}`; the counts give how often each code was
    /// found.
    ///
    /// - Parameter version: the version of the site; nil for a file.
    public func json(version: Int? = nil) -> [UInt8] {
        var writer = JSONWriter(capacity: 65_536)
        writer.beginObject()
        writer.field("version", version)
        writeMembers(to: &writer)
        writer.endObject()
        return writer.finish()
    }

    private func writeMembers(to writer: inout JSONWriter) {
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
            writer.endObject()
        }
        writer.endArray()
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
}
