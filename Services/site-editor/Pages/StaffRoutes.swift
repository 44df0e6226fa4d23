import Events
import HTTP
import ServiceHost

/// `/staff/{site}`: the page in which the staff's app begins; `/staff`: the sites to choose from.
///
/// They say nothing of a site, so anybody gets them. The app asks the API, as the person who is
/// signed in.
struct StaffRoutes: Sendable {
    private let frame: PageFrame

    /// - Parameter modules: the modules of the staff's app.
    init(modules: [String]) {
        // No other page may show it in a frame: who edits has to see what a click is on.
        frame = PageFrame(
            policy: PageRoutes.policy(embedding: "", scripts: [PageFrame.startSource]),
            main: AppRoutes.staffMain,
            styles: [
                "app.css", "served.css", "staff/staff.css", "staff/staff-draw.css",
                "staff/staff-files.css", "staff/staff-survey.css", "staff/staff-admin.css",
                "staff/staff-watch.css",
            ],
            isInstallable: false, modules: modules, following: [])
    }

    var all: [Route] {
        [
            Route(.get, "/staff", handler: .callback { $1.respond(sites($0)) }),
            Route(.get, "/staff/{site}", handler: .callback { $1.respond(page($0)) }),
        ]
    }

    private func sites(_ request: HTTPRequest) -> HTTPResponse {
        let words = PageWords.words(for: request)
        let title = words("page.staffSites")
        return frame.answer(
            words, title: title, site: nil,
            body: [
                .element("h1", [:], .text(title)),
                .element("p", [:], .text(words("page.staff.script"))),
            ])
    }

    private func page(_ request: HTTPRequest) -> HTTPResponse {
        let words = PageWords.words(for: request)
        let name = request.parameters["site"] ?? ""
        guard let site = SiteID(validating: name) else {
            let text = words("page.unknownSite", ["site": String(name.prefix(64))])
            return frame.answer(
                words, title: text, site: nil, status: 404,
                body: [.element("h1", [:], .text(text))])
        }
        let title = words("page.staff", ["site": site.text])
        return frame.answer(
            words, title: title, site: site.text,
            body: [
                .element("h1", [:], .text(title)),
                .element("p", [:], .text(words("page.staff.script"))),
                .element(
                    "p", [:],
                    .element(
                        "a", ["href": PageLink.own(["s", site.text])],
                        .text(words("page.staff.visitors")))),
            ])
    }
}
