public import Events
import JSON
public import Site

/// The answer to a publication.
public enum PublicationAnswer {
    /// - Parameters:
    ///   - isChanged: whether the site has a new version.
    ///   - draft: the published revision and its audience; nil for a document that was sent.
    ///   - siteAudience: who sees the site without signing in; nil if the site leaves that out.
    public static func json(
        of site: SiteID, version: Int, isChanged: Bool,
        draft: (revision: Int, audience: DraftAudience)? = nil, siteAudience: SiteAudience? = nil
    ) -> [UInt8] {
        answer(of: site) { writer in
            writer.field("version", version)
            writer.field("changed", isChanged)
            writer.field("revision", draft?.revision)
            writer.field("audience", draft?.audience.rawValue)
            // The word has two meanings: everyone who may see the site, and who that is.
            writer.field("siteAudience", siteAudience?.rawValue)
        }
    }

    /// The draft became a version of the testers' site.
    public static func test(
        of site: SiteID, revision: Int, testersSite: SiteID, version: Int
    ) -> [UInt8] {
        answer(of: site) { writer in
            writer.field("testersSite", testersSite.text)
            writer.field("testersVersion", version)
            writer.field("revision", revision)
            writer.field("audience", DraftAudience.test.rawValue)
        }
    }

    private static func answer(
        of site: SiteID, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("site", site.text)
        members(&writer)
        writer.endObject()
        return writer.finish()
    }
}

/// The problem of a record that other records name, with a list of those.
public enum StillNamedProblem {
    /// The most dependents that are listed; a floor may have thousands.
    private static let mostListed = 1_000

    public static func json(
        code: String, status: Int, detail: String, dependents: [SiteThing]
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("type", "urn:whereabouts:problem:\(code)")
        writer.field("title", "Conflict")
        writer.field("status", status)
        writer.field("detail", detail)
        writer.field("code", code)
        writer.array("dependents", dependents.prefix(mostListed)) { $0.write(to: &$1) }
        writer.endObject()
        return writer.finish()
    }
}
