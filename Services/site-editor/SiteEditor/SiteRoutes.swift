import Events
import HTTP
import JSON
import ServiceHost
import Wire

/// /v1/sites: import of a site as one document, and what is in it.
struct SiteRoutes: Sendable {
    /// Bytes of a site document: a campus of 10,000 rooms is about 4 MB.
    private static let bodyLimit = 7_500_000
    static let administrators = Route.Access.roles(["administrator"])
    /// Everyone who has a token: a map without its rooms is no map.
    static let readers = Route.Access.roles(
        Set(TokenRole.allCases.map(\.rawValue) + [TokenDirectory.serviceRole]))

    let host: Host
    let store: SiteStore

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites", access: Self.readers, handler: .task { try await list($0) }),
            Route(
                .get, "/v1/sites/{site}", access: Self.readers,
                handler: .task { try await document($0) }),
            Route(
                .put, "/v1/sites/{site}", access: Self.administrators,
                maximumBodyBytes: Self.bodyLimit, handler: .task { try await replace($0) }),
            part("buildings") { document, _, writer in
                for building in document.buildings { building.write(to: &writer) }
            },
            part("floors") { document, _, writer in
                for floor in document.floors { floor.write(to: &writer) }
            },
            part("rooms") { document, floor, writer in
                for room in document.rooms where floor == nil || room.floor == floor {
                    room.write(to: &writer)
                }
            },
            part("connections") { document, floor, writer in
                for connection in document.connections
                where floor == nil || connection.stops.contains(where: { $0.floor == floor }) {
                    connection.write(to: &writer)
                }
            },
            part("locations") { document, floor, writer in
                for place in document.locations where floor == nil || place.floor == floor {
                    place.write(to: &writer)
                }
            },
        ]
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let own = request.principal?.site
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("sites")
        writer.beginArray()
        for site in try await store.all() where own == nil || own == site.id {
            writer.beginObject()
            writer.field("id", site.id)
            writer.field("name", site.name)
            writer.field("version", site.version)
            writer.field("publishedAt", microseconds: site.publishedAt.microseconds)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .json(writer.finish())
    }

    private func document(_ request: HTTPRequest) async throws -> HTTPResponse {
        let published = try await published(request)
        var response = HTTPResponse.json(published.document.json)
        response.headers.append(("etag", "\"\(published.version)\""))
        return response
    }

    /// Publishes the body as the site's next version. With If-Match only if that version is the
    /// newest; the same document again changes nothing.
    private func replace(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try host.site(of: request)
        let document: SiteDocument
        do throws(WireFault) {
            document = try SiteDocument(json: request.body)
        } catch {
            throw Problem(400, error.code.rawValue, error.detail)
        }
        let outcome = try await store.replace(
            site, with: document, expectedVersion: try expectedVersion(request), at: host.now)
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("version", outcome.version)
        writer.field("changed", outcome.isChanged)
        writer.endObject()
        let isFirst = outcome.isChanged && outcome.version == 1
        var response = HTTPResponse.json(writer.finish(), status: isFirst ? 201 : 200)
        response.headers.append(("etag", "\"\(outcome.version)\""))
        return response
    }

    private func part(
        _ name: StaticString,
        write: @escaping @Sendable (SiteDocument, FloorID?, inout JSONWriter) -> Void
    ) -> Route {
        Route(
            .get, "/v1/sites/{site}/\(name)", access: Self.readers,
            handler: .task { request in
                let published = try await published(request)
                let floor = request.firstQuery("floor").map(FloorID.init)
                var writer = JSONWriter(capacity: 65_536)
                writer.beginObject()
                writer.field("version", published.version)
                writer.name(name)
                writer.beginArray()
                write(published.document, floor, &writer)
                writer.endArray()
                writer.endObject()
                return .json(writer.finish())
            })
    }

    private func published(_ request: HTTPRequest) async throws -> SitePublished {
        let site = try host.site(of: request)
        guard let published = try await store.published(site) else {
            throw Problem.siteUnknown(site)
        }
        return published
    }

    private func expectedVersion(_ request: HTTPRequest) throws(Problem) -> Int? {
        guard let text = request.header("if-match"), text != "*" else { return nil }
        guard text.count > 2, text.first == "\"", text.last == "\"",
            let version = Int(text.dropFirst().dropLast())
        else {
            throw Problem(
                400, "etag-malformed", "If-Match takes the ETag that the site was read with.")
        }
        return version
    }
}
