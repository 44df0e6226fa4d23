import Events
import HTTPClient
import JSON
import Site

/// The arguments of `whereabouts publish`, and its work.
struct PublishRequest: Sendable {
    private enum Work {
        case publish
        case showToTesters
        /// Removes the testers' site.
        case endTest(SiteID)
    }

    private let site: SiteID
    private let work: Work

    init(_ arguments: [String]) throws(UsageFault) {
        let reader = try ArgumentReader(
            arguments, options: ["--site"], flags: ["--testers", "--end-test"])
        guard let site = try reader.site("--site"), reader.positional.isEmpty else {
            throw UsageFault("publish needs --site ID")
        }
        self.site = site
        switch (reader.has("--testers"), reader.has("--end-test")) {
        case (true, true): throw UsageFault("publish needs either --testers or --end-test")
        case (true, false): work = .showToTesters
        case (false, true):
            guard let testersSite = site.ofTesters else {
                let tested = site.tested.map { ", such as \($0)" } ?? ""
                throw UsageFault("--end-test needs the site whose draft testers see\(tested)")
            }
            work = .endTest(testersSite)
        case (false, false): work = .publish
        }
    }

    func send(to services: ServiceClient, _ invocation: Invocation) async throws {
        switch work {
        case .publish:
            let tag = try await draftTag(services)
            // Only the note needs it. The draft may be what mends an unreadable published document.
            let before = await services.publishedVersion(site)
            let version = try await services.publishDraft(site, tag: tag)
            // A draft that equals the published version makes no new one.
            invocation.note(
                version == before
                    ? "Nothing has changed: version \(version) of \(site) stays published."
                    : "Version \(version) of \(site) is published.")
            invocation.output(line { $0.field("version", version) })
        case .showToTesters:
            let tag = try await draftTag(services)
            let shown = try await services.showDraftToTesters(site, tag: tag)
            invocation.note(
                "Testers now see the draft as version \(shown.version) of the site "
                    + "\(shown.site). End the test with `whereabouts publish --site \(site) "
                    + "--end-test`.")
            invocation.output(
                line {
                    $0.field("testersSite", shown.site)
                    $0.field("testersVersion", shown.version)
                })
        case .endTest(let testersSite):
            do {
                // Without `confirm` the server removes nothing but a testers' site.
                try await services.call("DELETE", "site-editor", "/v1/sites/\(testersSite)")
            } catch let refusal as ServiceClient.Refusal where refusal.status == 404 {
                throw CommandFault(
                    "there is no test to end: testers see no draft of \(site) as \(testersSite)")
            }
            invocation.note("The test has ended: the site \(testersSite) is gone.")
            invocation.output(line { $0.field("endedTestersSite", testersSite.text) })
        }
    }

    private func draftTag(_ services: ServiceClient) async throws -> String {
        guard let draft = try await services.draft(site) else { throw SiteMissing(site: site) }
        return draft.tag
    }

    private func line(_ members: (inout JSONWriter) -> Void) -> String {
        var line = JSONWriter()
        line.beginObject()
        line.field("site", site.text)
        members(&line)
        line.endObject()
        return line.finishText()
    }
}
